"""Tables for friends: one table, several people, each before a page of their own. Nothing here knows of pages."""
