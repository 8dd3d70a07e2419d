/* Three ways to know which cards are left, to compare their cost: see benchmarks/solana.py.
 *
 * Instruction data: way u8, number of draws u8, six bytes of zero, seed 32. The one account is a game.
 */
#include "cards.h"

extern void sol_set_return_data(const void *bytes, u64 size);

enum { STORED = 0, REBUILT = 1, REJECTED = 2 };

/* How often a card was dealt. */
static inline u64 times_dealt(const struct game *game, u8 card)
{
    u64 times = 0;
    for (u64 place = 0; place < game->player_count; place++) times += game->player_cards[place] == card;
    for (u64 place = 0; place < game->dealer_count; place++) times += game->dealer_cards[place] == card;
    return times;
}

/* Number all cards of the shoe, pick one, and discard the pick if that card was already dealt. */
static inline u8 draw_by_rejection(const struct game *game, struct stream *stream)
{
    for (;;) {
        u64 pick = draw_below(stream, CARD_COUNT * game->decks);
        u8 card = (u8)(pick % CARD_COUNT);
        if (pick / CARD_COUNT >= times_dealt(game, card)) return card;
    }
}

u64 entrypoint(u8 *buffer)
{
    struct input input;
    if (parse_input(buffer, &input) != PARSED || input.account_count != 1 || input.data_size != 40) return 1;
    struct game *game = (struct game *)input.account[0]->data;
    u8 way = input.data[0];
    struct stream stream;
    stream.block = *(const struct key *)(input.data + 8);
    stream.used = 0;
    struct {
        u8 counts[56];
        u16 left;
    } rebuilt __attribute__((aligned(8)));
    u64 draws = input.data[1];
    if (way == REBUILT && draws > 0) {
        sol_memset_(rebuilt.counts, game->decks, CARD_COUNT);
        rebuilt.left = (u16)(CARD_COUNT * game->decks - game->player_count - game->dealer_count);
        for (u64 place = 0; place < game->player_count; place++) rebuilt.counts[game->player_cards[place]]--;
        for (u64 place = 0; place < game->dealer_count; place++) rebuilt.counts[game->dealer_cards[place]]--;
    }
    for (; draws > 0; draws--) {
        u8 card = way == STORED    ? draw_card(game->counts, &game->cards_left, &stream)
                  : way == REBUILT ? draw_card(rebuilt.counts, &rebuilt.left, &stream)
                                   : draw_by_rejection(game, &stream);
        game->dealer_cards[game->dealer_count++] = card;
    }
    sol_set_return_data(game->dealer_cards, game->dealer_count);
    return 0;
}
