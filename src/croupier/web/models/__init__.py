"""What the pages show and do, without a browser: every decision of the web app is made here."""
