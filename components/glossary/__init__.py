"""The terms of all lessons, with their sources."""
