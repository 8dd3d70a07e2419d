#include "positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "knowledge.h"
#include "solver.h"

enum { FIELDS = 5 };

/* Cut a line at its "##"; returns how many parts there are. */
static int cut(char *line, char *parts[FIELDS]) {
    int number = 0;
    for (char *next = line; next && number < FIELDS; number++) {
        parts[number] = next;
        next = strstr(next, "##");
        if (next) {
            *next = '\0';
            next += 2;
        }
    }
    return number;
}

static int phase_of(const char *line) {
    if (strncmp(line, "move ", 5) == 0) return ATTACK;
    if (strncmp(line, "respond ", 8) == 0) return DEFEND;
    return strncmp(line, "give_more ", 10) == 0 ? THROW_IN : NONE;
}

int value_positions(double seconds) {
    static char line[1 << 12];
    Chance chance = {1};
    while (fgets(line, sizeof line, stdin)) {
        char *parts[FIELDS];
        int phase = phase_of(line);
        if (phase == NONE || cut(line, parts) != FIELDS) {
            fprintf(stderr, "rival: a line is: move|respond|give_more OWN ## OTHER ## TABLE ## TRUMP ## STOCK\n");
            return 2;
        }
        Knowledge known = {.trump = read_card(parts[3] + 1), .stock_count = atoi(parts[4])};
        known.own = read_cards(strchr(parts[0], ' '), NULL);
        known.other = read_cards(parts[1], NULL);
        known.table = read_cards(parts[2], &known.attack);
        known.other_count = count(known.other);
        known.room = known.other_count - 1;
        hide_nothing(&known);
        Game game = possible_game(&known, (enum Phase)phase, &chance);
        if (phase == THROW_IN && known.room <= 0) play(&game, PASS); /* asked, but nothing may be thrown in */
        int value;
        best_proven(&game, seconds_now() + seconds, &value);
        if (value == UNPROVEN) puts("?");
        else printf("%d\n", value);
        fflush(stdout);
    }
    return 0;
}
