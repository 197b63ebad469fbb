"""The operations that are real in this host, one provider class for each namespace."""
