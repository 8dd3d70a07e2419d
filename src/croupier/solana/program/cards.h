/* Cards: uniform numbers from a seed, draws from the counts, and the totals of hands. */
#ifndef CROUPIER_CARDS_H
#define CROUPIER_CARDS_H

#include "layout.h"

/* Eight counts at once. The attribute tells the compiler that this word may alias bytes. */
typedef u64 __attribute__((may_alias)) eight_counts;

/* An endless stream of 16-bit numbers: the sixteen of the seed, then those of its SHA-256, and so on. */
struct stream {
    union {
        struct key block;
        u16 number[16];
    };
    u64 used;
};

/* Draw a number from 0 up to but not including bound, each equally likely: numbers beyond the last full multiple of
 * bound are discarded. With at most 416 cards this happens less than once in 157 draws. */
static inline u64 draw_below(struct stream *stream, u64 bound)
{
    u64 limit = 65536 - 65536 % bound;
    for (;;) {
        if (stream->used == 16) {
            struct slice block = {&stream->block, sizeof(struct key)};
            sol_sha256(&block, 1, &stream->block);
            stream->used = 0;
        }
        u64 number = stream->number[stream->used++];
        if (number < limit) return number % bound;
    }
}

/* Draw one of the cards left, each equally likely. The walk ends inside the counts because they add up to cards_left,
 * and the drawn number is below that. */
static inline u8 draw_card(u8 *counts, u16 *cards_left, struct stream *stream)
{
    u64 position = draw_below(stream, *cards_left);
    u64 card = 0;
    for (; card + 8 <= CARD_COUNT; card += 8) {
        /* The highest byte of the product is the sum of all eight bytes. */
        u64 sum = *(const eight_counts *)(counts + card) * 0x0101010101010101ULL >> 56;
        if (position < sum) break;
        position -= sum;
    }
    while (position >= counts[card]) position -= counts[card++];
    counts[card]--;
    (*cards_left)--;
    return (u8)card;
}

/* The points of every card; an ace counts one. */
#define POINTS_OF_A_SUIT 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10
static const u8 POINTS[CARD_COUNT] = {POINTS_OF_A_SUIT, POINTS_OF_A_SUIT, POINTS_OF_A_SUIT, POINTS_OF_A_SUIT};

/* A hand's points with every ace as one, and whether there is an ace. */
struct points {
    u64 hard;
    u64 has_ace;
};

static inline void add_points(struct points *points, u8 card)
{
    points->hard += POINTS[card];
    points->has_ace |= POINTS[card] == 1;
}

/* One ace counts eleven if that does not bust the hand. */
static inline u64 total_of(const struct points *points)
{
    return points->has_ace && points->hard <= 11 ? points->hard + 10 : points->hard;
}

#endif
