/* A durak engine in C: plays its cheapest card, trumps last.   cc -O2 -o engine engine.c */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char ranks[] = "6789TJQKA";
static char hand[36][3];
static int held;
static char trump;

static int rank_of(const char *card) { return (int)(strchr(ranks, card[0]) - ranks); }

static int cost(const char *card) { return rank_of(card) + (card[1] == trump ? 9 : 0); }

/* Equal costs are decided by the suit, so that all the engines of this folder play alike. */
static bool is_cheaper(const char *card, const char *other) {
    return cost(card) < cost(other) || (cost(card) == cost(other) && card[1] < other[1]);
}

static bool beats(const char *card, const char *attack) {
    if (card[1] == attack[1]) return rank_of(card) > rank_of(attack);
    return card[1] == trump;
}

/* Cut a list of cards into cards; return how many there are. */
static int split(char *text, char *cards[]) {
    int count = 0;
    for (char *card = strtok(text, " "); card; card = strtok(NULL, " ")) cards[count++] = card;
    return count;
}

static bool fits(const char *card, char *table[], int count, bool attacks) {
    if (!attacks) return beats(card, table[count - 1]);
    for (int place = 0; place < count; place++)
        if (table[place][0] == card[0]) return true;
    return count == 0;
}

/* Answer with the cheapest card that fits, and take it out of the hand; without one, answer with an empty line. */
static void play(char *table[], int count, bool attacks) {
    int best = -1;
    for (int place = 0; place < held; place++)
        if (fits(hand[place], table, count, attacks) && (best < 0 || is_cheaper(hand[place], hand[best])))
            best = place;
    if (best < 0) {
        puts("");
        return;
    }
    puts(hand[best]);
    memmove(hand[best], hand[--held], 3);
}

int main(void) {
    char line[4096], *cards[72];
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line leaves at once */
    while (fgets(line, sizeof line, stdin)) {
        char *data = strstr(line, " ##");
        if (data) *data = '\0'; /* this engine does without the JSON */
        line[strcspn(line, "\r\n")] = '\0';
        char *rest = strchr(line, ' ');
        if (rest) *rest++ = '\0';
        int count = rest ? split(rest, cards) : 0;
        if (!strcmp(line, "init")) {
            held = 0;
            trump = cards[0][1];
            puts("ok");
        } else if (!strcmp(line, "deal")) {
            for (int place = 0; place < count; place++) memcpy(hand[held++], cards[place], 3);
            puts("ok");
        } else if (!strcmp(line, "move")) {
            play(cards, count, true);
        } else if (!strcmp(line, "respond")) {
            play(cards, count, false);
        } else if (!strcmp(line, "give_more")) {
            puts("");
        } else {
            return 0; /* game_end */
        }
    }
    return 0;
}
