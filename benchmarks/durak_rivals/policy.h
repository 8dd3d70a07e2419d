/* Quick play by rules of thumb: an engine of its own, and the playouts of the searches. */
#ifndef POLICY_H
#define POLICY_H

#include "game.h"

typedef struct {
    uint64_t state;
} Chance;

/* The next random number, by SplitMix64. */
uint64_t draw(Chance *chance);

/* A number below a bound. */
static inline uint32_t below(Chance *chance, uint32_t bound) {
    return (uint32_t)((draw(chance) >> 32) * bound >> 32);
}

/* The cheapest card that is legal; throws in plain cards only. Looks at the own hand and the table. */
Move cheapest(const Game *game);

/* Pairs first, high cards kept while there is a stock, expensive beating refused. Looks at the own hand and the table. */
Move by_thumb(const Game *game);

/* Play on by rules of thumb, one move in sixteen at random; returns the result for a player. */
int play_out(Game *game, int player, Chance *chance);

#endif
