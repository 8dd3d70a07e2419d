#include "solver.h"

#include <stdlib.h>

#include "clock.h"

/* Alpha-beta with a table of positions. A result is a win, a draw or a loss, so a bound is one of three numbers. */

enum { TABLE_BITS = 21, NODES_BETWEEN_LOOKS = 1 << 12 };

typedef struct {
    uint64_t key;
    int8_t low, high;
    uint8_t best;
} Entry;

static Entry *entries;
static uint64_t nodes;
static double deadline_of_search;
static bool is_late;

static uint64_t mixed(uint64_t value) {
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93u;
    value ^= value >> 29;
    value *= 0xA3B195354A39B70Du;
    return value ^ value >> 32;
}

/* What decides the rest of the game. The stock is the open trump or nothing, so its size says which. */
static uint64_t key_of(const Game *game) {
    uint64_t first = game->hand[0] | (uint64_t)(game->attack + 1) << 36 | (uint64_t)game->phase << 42 |
                     (uint64_t)game->attacker << 44 | (uint64_t)stock_left(game) << 45 | (uint64_t)game->trump << 46;
    uint64_t second = game->hand[1];
    if (game->phase == THROW_IN) second |= (uint64_t)game->room << 36 | (uint64_t)game->least << 42;
    uint64_t key = mixed(first + 0x9E3779B97F4A7C15u * mixed(second + 0x9E3779B97F4A7C15u * mixed(game->table)));
    return key ? key : 1;
}

/* Try what usually decides first: the cheapest card that has companions of its rank, trumps late, passing last. */
static int cost(const Game *game, Move move) {
    if (move == PASS) return game->phase == THROW_IN ? 0 : 100;
    int mates = count(same_ranks(game->hand[to_move(game)], one(move))) - 1;
    int price = 4 * rank_of(move) + (suit_of(move) == game->trump ? 40 : 0);
    return game->phase == DEFEND ? price : price - 6 * mates;
}

static int ordered_moves(const Game *game, int first, Move moves[CARDS + 1]) {
    int number = legal_moves(game, moves), costs[CARDS + 1];
    for (int i = 0; i < number; i++) {
        Move move = moves[i];
        int own = move == first ? -1000 : cost(game, move), place = i;
        for (; place > 0 && costs[place - 1] > own; place--) {
            costs[place] = costs[place - 1];
            moves[place] = moves[place - 1];
        }
        costs[place] = own;
        moves[place] = move;
    }
    return number;
}

/* The value for the side to move, exact between alpha and beta, a bound outside. */
static int search(const Game *game, int alpha, int beta) {
    if (++nodes % NODES_BETWEEN_LOOKS == 0 && seconds_now() > deadline_of_search) is_late = true;
    if (is_late) return 0;
    uint64_t key = key_of(game);
    Entry *entry = &entries[key >> (64 - TABLE_BITS)];
    int low = -1, high = 1, first = NONE;
    if (entry->key == key) {
        low = entry->low;
        high = entry->high;
        first = entry->best;
        if (low >= beta || low == high) return low;
        if (high <= alpha) return high;
    }
    if (low > alpha) alpha = low;
    if (high < beta) beta = high;
    Move moves[CARDS + 1];
    int number = ordered_moves(game, first, moves), best = -2, window = alpha;
    Move chosen = moves[0];
    for (int i = 0; i < number && best < beta; i++) {
        Game next = *game;
        play(&next, moves[i]);
        int mover = to_move(game), value;
        if (next.phase == OVER) value = result_for(&next, mover);
        else if (to_move(&next) == mover) value = search(&next, window, beta);
        else value = -search(&next, -beta, -window);
        if (is_late) return 0;
        if (value > best) {
            best = value;
            chosen = moves[i];
            if (best > window) window = best;
        }
    }
    if (best <= alpha) high = best;
    else if (best >= beta) low = best;
    else low = high = best;
    *entry = (Entry){key, (int8_t)low, (int8_t)high, chosen};
    return best;
}

static void prepare(double deadline) {
    if (!entries) entries = calloc((size_t)1 << TABLE_BITS, sizeof *entries);
    if (!entries) abort();
    deadline_of_search = deadline;
    is_late = false;
}

int solve(const Game *game, double deadline) {
    prepare(deadline);
    int value = search(game, -1, 1);
    return is_late ? UNPROVEN : value;
}

Move best_proven(const Game *game, double deadline, int *value) {
    Move moves[CARDS + 1];
    int number = ordered_moves(game, NONE, moves), mover = to_move(game);
    Move best = moves[0];
    *value = -2;
    for (int i = 0; i < number && *value < 1; i++) {
        Game next = *game;
        play(&next, moves[i]);
        int after;
        if (next.phase == OVER) {
            after = result_for(&next, mover);
        } else {
            after = solve(&next, deadline);
            if (after == UNPROVEN) break;
            if (to_move(&next) != mover) after = -after;
        }
        if (after > *value) {
            *value = after;
            best = moves[i];
        }
    }
    if (is_late && *value < 1) *value = UNPROVEN;
    return best;
}
