"""Durak engines: the base class to write one, and the engines that come with Croupier."""
