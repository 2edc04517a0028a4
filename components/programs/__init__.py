"""Programs that reproduce a lesson outside the app, as code, a script or a notebook."""
