#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

static const char RANK_LETTERS[] = "6789TJQKA", SUIT_LETTERS[] = "CDHS";
static const Set ALL = ((Set)1 << CARDS) - 1;

int read_card(const char *text) {
    const char *rank = text[0] ? strchr(RANK_LETTERS, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(SUIT_LETTERS, text[1]) : NULL;
    return suit ? (int)(RANKS * (suit - SUIT_LETTERS) + (rank - RANK_LETTERS)) : NONE;
}

void write_card(int card, char name[3]) {
    name[0] = RANK_LETTERS[rank_of(card)];
    name[1] = SUIT_LETTERS[suit_of(card)];
    name[2] = '\0';
}

Set read_cards(const char *text, int *last) {
    Set cards = 0;
    for (; *text && *text != '#' && *text != ']'; text++) {
        int card = read_card(text);
        if (card == NONE) continue;
        cards |= one(card);
        if (last) *last = card;
        text++;
    }
    return cards;
}

static const char *field(const char *data, const char *name) {
    const char *found = strstr(data, name);
    return found ? found + strlen(name) : "";
}

void begin_game(Knowledge *known, const char *line) {
    *known = (Knowledge){.trump = read_card(line)};
}

void take_in(Knowledge *known, const char *words, bool is_deal) {
    const char *data = strstr(words, "##");
    if (!data) data = "";
    Set listed = read_cards(words, &known->attack);
    known->discarded = read_cards(field(data, "\"discarded\":"), NULL);
    known->stock_count = atoi(field(data, "\"deck_count\":"));
    known->other_count = atoi(field(data, "\"enemy_count\":"));
    known->room = known->other_count - 1;
    if (is_deal) {
        known->own |= listed;
        known->other |= known->in_bout & ~known->discarded & ~known->own;
        known->table = known->in_bout = 0;
    } else {
        known->table = listed;
        known->in_bout |= listed;
    }
    known->other &= ~(known->discarded | known->table);
    Set seen = known->own | known->discarded | known->table;
    if (known->stock_count == 0) known->other |= one(known->trump) & ~seen;
}

void play_own(Knowledge *known, int card) {
    known->own &= ~one(card);
    known->in_bout |= one(card);
}

void hide_nothing(Knowledge *known) {
    Set bottom = known->stock_count ? one(known->trump) : 0;
    known->discarded = ALL & ~(known->own | known->other | known->table | bottom);
}

bool is_open(const Knowledge *known) { return known->stock_count <= 1; }

Game possible_game(const Knowledge *known, enum Phase phase, Chance *chance) {
    Game game = {.hand = {known->own, known->other}, .table = known->table, .attack = NONE};
    game.phase = (int8_t)phase;
    game.attacker = phase == DEFEND;
    if (phase == DEFEND) game.attack = (int8_t)known->attack;
    if (phase == THROW_IN) game.room = (int8_t)known->room;
    game.winner = NONE;
    game.trump = (int8_t)suit_of(known->trump);
    Set bottom = known->stock_count ? one(known->trump) : 0;
    Set hidden = ALL & ~(known->own | known->other | known->discarded | known->table | bottom);
    uint8_t cards[CARDS];
    int number = 0;
    for (; hidden; hidden &= hidden - 1) {
        int place = (int)below(chance, (uint32_t)number + 1);
        cards[number] = cards[place];
        cards[place] = (uint8_t)lowest(hidden);
        number++;
    }
    int missing = known->other_count - count(known->other);
    for (int i = 0; i < number; i++) {
        if (i < missing) game.hand[1] |= one(cards[i]);
        else game.stock[game.stocked++] = cards[i];
    }
    if (bottom) game.stock[game.stocked++] = (uint8_t)known->trump;
    return game;
}
