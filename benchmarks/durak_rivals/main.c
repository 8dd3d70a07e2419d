/* A durak engine with four characters: rival greedy|thumb|carlo|tree|solve [--time-ms 100] [--seed 1].
 *
 *   greedy  the cheapest card
 *   thumb   rules of thumb
 *   carlo   deals the hidden cards at random and tries every move
 *   tree    information-set tree search
 *
 * All play the end game by proof as far as their time allows. `solve` is no engine: it values the positions that it reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "knowledge.h"
#include "positions.h"
#include "search.h"
#include "solver.h"

typedef enum { GREEDY, THUMB, CARLO, TREE, SOLVE, CHARACTERS } Character;

static const char *const NAMES[CHARACTERS] = {"greedy", "thumb", "carlo", "tree", "solve"};

typedef struct {
    Character character;
    double seconds;
    Chance chance;
} Player;

static Move without_proof(Player *player, const Knowledge *known, enum Phase phase, double deadline) {
    Game game = possible_game(known, phase, &player->chance);
    switch (player->character) {
    case GREEDY: return cheapest(&game);
    case THUMB: return by_thumb(&game);
    case CARLO: return monte_carlo(known, phase, deadline, &player->chance);
    default: return tree_search(known, phase, deadline, &player->chance);
    }
}

static Move decide(Player *player, const Knowledge *known, enum Phase phase, double begin) {
    Game game = possible_game(known, phase, &player->chance);
    Move moves[CARDS + 1];
    if (legal_moves(&game, moves) == 1) return moves[0];
    if (is_open(known)) {
        int value;
        Move proven = best_proven(&game, begin + 0.7 * player->seconds, &value);
        if (value != UNPROVEN) return proven;
    }
    return without_proof(player, known, phase, begin + 0.95 * player->seconds);
}

static void answer(Player *player, Knowledge *known, enum Phase phase) {
    double begin = seconds_now();
    char name[3];
    Move move = decide(player, known, phase, begin);
    if (move == PASS) {
        puts("");
        return;
    }
    play_own(known, move);
    write_card(move, name);
    puts(name);
}

/* Throw in card after card until nothing more is worth it; each is chosen in a share of the time. */
static void throw_in(Player *player, Knowledge *known) {
    Player hurried = *player;
    hurried.seconds /= known->room > 0 ? known->room : 1;
    for (const char *space = ""; known->room > 0; known->room--, space = " ") {
        Move move = decide(&hurried, known, THROW_IN, seconds_now());
        if (move == PASS) break;
        char name[3];
        play_own(known, move);
        known->table |= one(move);
        write_card(move, name);
        printf("%s%s", space, name);
    }
    puts("");
    player->chance = hurried.chance;
}

static int starts(const char *line, const char *command) { return strncmp(line, command, strlen(command)) == 0; }

static int refuse(const char *what) {
    fprintf(stderr, "rival: %s; write: rival greedy|thumb|carlo|tree|solve [--time-ms 100] [--seed 1]\n", what);
    return 2;
}

int main(int words, char **word) {
    Player player = {CHARACTERS, 0.1, {1}};
    for (int i = 0; words > 1 && i < CHARACTERS; i++)
        if (strcmp(word[1], NAMES[i]) == 0) player.character = (Character)i;
    if (player.character == CHARACTERS) return refuse("which of them?");
    for (int i = 2; i < words; i += 2) {
        if (i + 1 == words) return refuse("a number is missing");
        if (strcmp(word[i], "--time-ms") == 0) player.seconds = atof(word[i + 1]) / 1000;
        else if (strcmp(word[i], "--seed") == 0) player.chance.state = strtoull(word[i + 1], NULL, 10);
        else return refuse(word[i]);
    }
    if (player.character == SOLVE) return value_positions(player.seconds);
    Knowledge known = {0};
    bool stays = getenv("DURAK_KEEP_ALIVE") != NULL;
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        if (starts(line, "init ")) {
            begin_game(&known, line + 5);
            puts("ok");
        } else if (starts(line, "deal ")) {
            take_in(&known, line + 5, true);
            puts("ok");
        } else if (starts(line, "move ")) {
            take_in(&known, line + 5, false);
            answer(&player, &known, ATTACK);
        } else if (starts(line, "respond ")) {
            take_in(&known, line + 8, false);
            answer(&player, &known, DEFEND);
        } else if (starts(line, "give_more ")) {
            take_in(&known, line + 10, false);
            throw_in(&player, &known);
        } else if (starts(line, "game_end") && !stays) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
