#include "search.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"

Move monte_carlo(const Knowledge *known, enum Phase phase, double deadline, Chance *chance) {
    Game game = possible_game(known, phase, chance);
    Move moves[CARDS + 1];
    int number = legal_moves(&game, moves), points[CARDS + 1] = {0};
    do {
        game = possible_game(known, phase, chance);
        for (int i = 0; i < number; i++) {
            Game tried = game;
            play(&tried, moves[i]);
            points[i] += play_out(&tried, 0, chance);
        }
    } while (seconds_now() < deadline);
    int best = 0;
    for (int i = 1; i < number; i++)
        if (points[i] > points[best]) best = i;
    return moves[best];
}

enum { NODES = 1 << 20 };

static const double CURIOSITY = 0.7;

typedef struct {
    int32_t child, sibling;  /* 0: none */
    int32_t visits, offered; /* how often it was chosen, and could have been */
    int32_t points;          /* of the player who moves here */
    Move move;
} Node;

static Node *tree;
static int32_t grown;

static int32_t child_of(int32_t parent, Move move) {
    for (int32_t node = tree[parent].child; node; node = tree[node].sibling)
        if (tree[node].move == move) return node;
    return 0;
}

static int32_t add_child(int32_t parent, Move move) {
    int32_t node = grown++;
    tree[node] = (Node){.sibling = tree[parent].child, .move = move};
    tree[parent].child = node;
    return node;
}

/* Choose among the moves of this game: one that was never tried, or by upper confidence bounds over the times it was offered. */
static int32_t choose(int32_t parent, const Game *game, bool *is_new, Chance *chance) {
    Move moves[CARDS + 1], untried[CARDS + 1];
    int number = legal_moves(game, moves), fresh = 0;
    int32_t best = 0;
    double most = -INFINITY;
    for (int i = 0; i < number; i++) {
        int32_t node = child_of(parent, moves[i]);
        if (!node) {
            untried[fresh++] = moves[i];
            continue;
        }
        Node *seen = &tree[node];
        seen->offered++;
        double bound = (double)seen->points / seen->visits + CURIOSITY * sqrt(log(seen->offered) / seen->visits);
        if (bound > most) {
            most = bound;
            best = node;
        }
    }
    *is_new = fresh > 0 && grown < NODES;
    if (!*is_new) return best;
    int32_t node = add_child(parent, untried[below(chance, (uint32_t)fresh)]);
    tree[node].offered = 1;
    return node;
}

static void visit(const Knowledge *known, enum Phase phase, Chance *chance) {
    Game game = possible_game(known, phase, chance);
    int32_t path[256], node = 0;
    int8_t movers[256];
    int length = 0;
    bool is_new = false;
    while (game.phase != OVER && !is_new && length < 256) {
        int32_t next = choose(node, &game, &is_new, chance);
        if (!next) break; /* the tree is full */
        movers[length] = (int8_t)to_move(&game);
        path[length++] = node = next;
        play(&game, tree[next].move);
    }
    int result = play_out(&game, 0, chance);
    for (int i = 0; i < length; i++) {
        tree[path[i]].visits++;
        tree[path[i]].points += movers[i] ? -result : result;
    }
}

Move tree_search(const Knowledge *known, enum Phase phase, double deadline, Chance *chance) {
    if (!tree) tree = malloc(NODES * sizeof *tree);
    if (!tree) abort();
    tree[0] = (Node){0};
    grown = 1;
    do visit(known, phase, chance);
    while (seconds_now() < deadline);
    int32_t best = tree[0].child;
    for (int32_t node = best; node; node = tree[node].sibling)
        if (tree[node].visits > tree[best].visits) best = node;
    return tree[best].move;
}
