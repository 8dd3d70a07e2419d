"""A durak table for one person: the model, what the person may see of it, the coach, and the phrases.

The terminal and the browser show the same table. Neither is imported here.
"""
