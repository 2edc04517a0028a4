"""The marimo app needs marimo, which the test requirements leave out."""

collect_ignore = ["journey_marimo.py"]
