"""What the pages show and do, without a browser: every decision of the web lab is made here."""
