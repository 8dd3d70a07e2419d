/* Searches over games that could be the real one. */
#ifndef SEARCH_H
#define SEARCH_H

#include "knowledge.h"

/* Deal the hidden cards again and again, try every move in each of these games, and take the best mean. */
Move monte_carlo(const Knowledge *known, enum Phase phase, double deadline, Chance *chance);

/* One tree for all games that could be the real one (information-set search, single observer). */
Move tree_search(const Knowledge *known, enum Phase phase, double deadline, Chance *chance);

#endif
