"""The lessons' figures: SVG from templates, shown by one component that lights the parts which belong together."""
