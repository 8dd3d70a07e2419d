/* Two-player podkidnoy durak with the rules of the protocol, on bit sets of 36 cards.
 *
 * Written apart from the package, on purpose: these engines are rivals to measure against, and their solver
 * is a second opinion. Nothing here may be taken from croupier.durak, and nothing there from here. */
#ifndef GAME_H
#define GAME_H

#include <stdbool.h>
#include <stdint.h>

enum { RANKS = 9, CARDS = 36, PASS = CARDS, FULL_HAND = 6, NONE = -1 };

typedef uint64_t Set;  /* bit 9 * suit + rank */
typedef uint8_t Move;  /* a card, or PASS: done, take, or no more */

enum Phase { ATTACK, DEFEND, THROW_IN, OVER };

typedef struct {
    Set hand[2];
    Set table;
    int8_t attack;    /* the card to beat, or NONE */
    int8_t attacker;
    int8_t phase;
    int8_t room;      /* how many more cards may be thrown in */
    int8_t least;     /* cards are thrown in by rising number, so that each set comes once */
    int8_t winner;    /* when OVER: 0, 1, or NONE for a draw */
    int8_t trump;     /* its suit */
    int8_t drawn;     /* cards of the stock that are gone */
    int8_t stocked;   /* cards that it held */
    uint8_t stock[CARDS];
} Game;

static inline int count(Set cards) { return __builtin_popcountll(cards); }
static inline int lowest(Set cards) { return __builtin_ctzll(cards); }
static inline Set one(int card) { return (Set)1 << card; }
static inline int rank_of(int card) { return card % RANKS; }
static inline int suit_of(int card) { return card / RANKS; }
static inline int stock_left(const Game *game) { return game->stocked - game->drawn; }
static inline int to_move(const Game *game) {
    return game->phase == DEFEND ? 1 - game->attacker : game->attacker;
}

/* The cards of a set whose rank is among those of another. */
Set same_ranks(Set cards, Set ranks);

/* The cards that beat a card. */
Set beating(Set cards, int card, int trump);

/* What the side to move may play, without PASS. */
Set playable(const Game *game);

/* Whether the side to move may pass. */
bool may_pass(const Game *game);

/* Legal moves, cards first; returns how many. */
int legal_moves(const Game *game, Move moves[CARDS + 1]);

/* Play a legal move. */
void play(Game *game, Move move);

/* 1 if a player has won, 0 for a draw, -1 if lost. */
static inline int result_for(const Game *game, int player) {
    return game->winner == NONE ? 0 : game->winner == player ? 1 : -1;
}

#endif
