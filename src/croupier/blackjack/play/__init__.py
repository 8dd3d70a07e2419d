"""A blackjack table for people: model, view, coach and trainer, shared by terminal and browser."""
