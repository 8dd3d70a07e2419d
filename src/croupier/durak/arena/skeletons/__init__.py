"""Skeletons of engines in several languages: small programs that keep the protocol, to begin one's own with."""
