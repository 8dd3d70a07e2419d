/* Exact values of games whose hidden cards are all known: the stock is empty, or only the open trump is left. */
#ifndef SOLVER_H
#define SOLVER_H

#include "game.h"

enum { UNPROVEN = 2 };

/* 1, 0 or -1 for the side to move, or UNPROVEN when the deadline (seconds_now) comes first. */
int solve(const Game *game, double deadline);

/* A move that keeps the proven value, or the first move of the list when nothing was proven in time.
 * *value is as in solve. */
Move best_proven(const Game *game, double deadline, int *value);

#endif
