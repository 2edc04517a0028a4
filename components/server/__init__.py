"""What stands between the network and the app: pure ASGI, which knows nothing of Streamlit."""
