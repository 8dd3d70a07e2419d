#include "game.h"

#define SUIT ((Set)0x1FF)
#define EVERY_SUIT ((Set)1 | (Set)1 << 9 | (Set)1 << 18 | (Set)1 << 27)

Set same_ranks(Set cards, Set ranks) {
    Set merged = (ranks | ranks >> 9 | ranks >> 18 | ranks >> 27) & SUIT;
    return cards & (merged * EVERY_SUIT);
}

Set beating(Set cards, int card, int trump) {
    int suit = suit_of(card);
    Set higher = (SUIT << (9 * suit)) & ~(one(card + 1) - 1);
    Set trumps = suit == trump ? 0 : SUIT << (9 * trump);
    return cards & (higher | trumps);
}

Set playable(const Game *game) {
    Set hand = game->hand[to_move(game)];
    switch (game->phase) {
    case ATTACK: return game->table ? same_ranks(hand, game->table) : hand;
    case DEFEND: return beating(hand, game->attack, game->trump);
    case THROW_IN: return same_ranks(hand, game->table) & ~(one(game->least) - 1);
    default: return 0;
    }
}

bool may_pass(const Game *game) { return game->phase != ATTACK || game->table; }

int legal_moves(const Game *game, Move moves[CARDS + 1]) {
    int number = 0;
    for (Set cards = playable(game); cards; cards &= cards - 1) moves[number++] = (Move)lowest(cards);
    if (may_pass(game)) moves[number++] = PASS;
    return number;
}

static void end(Game *game, int winner) {
    game->phase = OVER;
    game->winner = (int8_t)winner;
}

static void refill(Game *game, int player) {
    while (count(game->hand[player]) < FULL_HAND && stock_left(game)) game->hand[player] |= one(game->stock[game->drawn++]);
}

/* The bout is over: refill, attacker first, and see who leads or whether somebody is out. */
static void next_bout(Game *game, bool taken) {
    int attacker = game->attacker, defender = 1 - attacker;
    if (taken) game->hand[defender] |= game->table;
    game->table = 0;
    game->attack = NONE;
    refill(game, attacker);
    refill(game, defender);
    game->phase = ATTACK;
    if (!taken) game->attacker = (int8_t)defender;
    if (stock_left(game) == 0 && (!game->hand[0] || !game->hand[1]))
        end(game, game->hand[0] ? 1 : game->hand[1] ? 0 : NONE);
}

static void attack_with(Game *game, int card) {
    int defender = 1 - game->attacker;
    game->attack = (int8_t)card;
    game->phase = DEFEND;
    bool is_last = stock_left(game) == 0 && !game->hand[game->attacker];
    bool can_draw = count(game->hand[defender]) == 1 && beating(game->hand[defender], card, game->trump);
    if (is_last && !can_draw) end(game, game->attacker);
}

static void beat(Game *game) {
    int attacker = game->attacker, defender = 1 - attacker;
    game->attack = NONE;
    if (game->hand[attacker] && game->hand[defender]) {
        game->phase = ATTACK;
    } else if (stock_left(game)) {
        next_bout(game, false);
    } else {
        end(game, game->hand[attacker] ? defender : NONE);
    }
}

static void take(Game *game) {
    int attacker = game->attacker, defender = 1 - attacker;
    if (!game->hand[attacker]) {
        if (stock_left(game)) next_bout(game, true);
        else end(game, attacker);
        return;
    }
    game->room = (int8_t)(count(game->hand[defender]) - 1);
    game->least = 0;
    if (game->room > 0) game->phase = THROW_IN;
    else next_bout(game, true);
}

void play(Game *game, Move move) {
    if (move == PASS) {
        if (game->phase == ATTACK) next_bout(game, false);
        else if (game->phase == DEFEND) take(game);
        else next_bout(game, true);
        return;
    }
    game->hand[to_move(game)] &= ~one(move);
    game->table |= one(move);
    if (game->phase == ATTACK) {
        attack_with(game, move);
    } else if (game->phase == DEFEND) {
        beat(game);
    } else {
        game->least = (int8_t)(move + 1);
        if (--game->room == 0 || !game->hand[game->attacker]) next_bout(game, true);
    }
}
