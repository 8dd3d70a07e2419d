/* What an engine knows of a game, from the lines of the protocol. */
#ifndef KNOWLEDGE_H
#define KNOWLEDGE_H

#include "game.h"
#include "policy.h"

typedef struct {
    Set own;
    Set other;        /* cards of the other player that were seen */
    Set discarded;
    Set table;
    Set in_bout;      /* every card that lay on the table in this bout */
    int attack;       /* the last card of the table */
    int trump;        /* the open card */
    int stock_count;
    int other_count;
    int room;         /* how many cards we may throw in */
} Knowledge;

/* The number of a card such as "7H", or NONE. */
int read_card(const char *text);

/* Its name, in a buffer of three letters. */
void write_card(int card, char name[3]);

/* All cards of a text up to "#", "]" or its end; the last of them in *last, if that is asked for. */
Set read_cards(const char *text, int *last);

void begin_game(Knowledge *known, const char *line);

/* Take in a line of deal, move, respond or give_more: the words after the command. */
void take_in(Knowledge *known, const char *words, bool is_deal);

/* A card of ours was played. */
void play_own(Knowledge *known, int card);

/* Whether nothing is hidden: the stock is gone, or only the open trump is left. */
bool is_open(const Knowledge *known);

/* Say that every card which was not seen is out of play. */
void hide_nothing(Knowledge *known);

/* A game that could be the real one; we are player 0. Hidden cards are dealt at random. */
Game possible_game(const Knowledge *known, enum Phase phase, Chance *chance);

#endif
