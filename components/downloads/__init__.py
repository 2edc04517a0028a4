"""Published files: their address, size and checksum, and a download that all sessions share."""
