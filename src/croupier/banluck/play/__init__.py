"""A Banluck table for people: what it holds, what a person at it may see, a coach, and the words for all of it."""
