/* Blackjack against the dealer, with cards that neither side can choose.
 *
 * When a game is created, the house commits to a chain of hashes and the player to a seed. The player's Deal, Hit and
 * Stand are requests. They fix the slot whose hash decides; nobody knows that hash yet. The house's Reveal then gives
 * the next pre-image of its chain, and the cards follow from the pre-image, the player's seed, the slot hash and the
 * game's address. A side that does not act in time forfeits the game.
 *
 * Both sign Create. A house that plays with strangers instead puts commitments into an account of its own, and a player
 * takes one of them by Join, alone. With JoinStaked the player also makes a bet, and the house's bankroll covers it: both
 * sums lie in the game's account until Settle shares them out. A side that forfeits loses all that it has put in.
 *
 * Every instruction checks first and writes afterwards, so a refused one changes nothing. Full hands and an empty shoe
 * need no check: a hand takes a card only below 21, when it has at most 20 cards, and both hands together never use up
 * 52 cards.
 */
#include "cards.h"
#include "stakes.h"

static const struct key SLOT_HASHES_KEY = {
    {0xaf0a2f1917d5a706ULL, 0x7acc77fbe365f2c6ULL, 0x133bbed029c582daULL, 0x0000002055002d6eULL}};

/* ---- Deal, Hit, Stand ---- */

static inline u64 check_request(u8 status, u8 tag)
{
    if (tag == TAG_DEAL) return status == STATUS_CREATED ? 0 : ERROR_ALREADY_DEALT;
    switch (status) {
    case STATUS_PLAYER_TURN: return 0;
    case STATUS_CREATED: return ERROR_NOT_DEALT;
    case STATUS_STAND_REQUESTED: return ERROR_ALREADY_STOOD;
    case STATUS_FINISHED: return ERROR_GAME_FINISHED;
    default: return ERROR_REVEAL_PENDING;
    }
}

static inline u64 request(struct input *input, u8 tag)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_game(input, 2));
    struct game *game = (struct game *)input->account[0]->data;
    CHECK(check_player(input->account[1], game));
    CHECK(check_request(game->status, tag));
    if (tag == TAG_DEAL) game->status = STATUS_DEAL_REQUESTED;
    if (tag == TAG_HIT) game->status = STATUS_HIT_REQUESTED;
    if (tag == TAG_STAND) game->status = STATUS_STAND_REQUESTED;
    game->slot = current_slot();
    return 0;
}

/* ---- Reveal ---- */

/* Find the hash of a slot by binary search. The entry's index is at most the number of slots since then. */
static inline u64 find_slot_hash(const struct slot_hashes *hashes, u64 slot, const struct key **found)
{
    REQUIRE(hashes->count != 0 && hashes->entry[0].slot >= slot, ERROR_SLOT_HASH_NOT_YET);
    u64 low = 0, high = hashes->entry[0].slot - slot;
    if (high >= hashes->count) high = hashes->count - 1;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (hashes->entry[middle].slot > slot) low = middle + 1;
        else high = middle;
    }
    REQUIRE(hashes->entry[low].slot == slot, ERROR_SLOT_HASH_GONE);
    *found = &hashes->entry[low].hash;
    return 0;
}

struct table {
    struct game *game;
    struct stream stream;
    struct revealed_event event;
};

static inline u8 draw(struct table *table)
{
    u8 card = draw_card(table->game->counts, &table->game->cards_left, &table->stream);
    table->event.drawn[table->event.drawn_count++] = card;
    return card;
}

static inline void finish(struct game *game, u8 result)
{
    game->status = STATUS_FINISHED;
    game->result = result;
}

static inline void play_dealer(struct table *table, u64 player_total)
{
    struct game *game = table->game;
    struct points points = {0, 0};
    add_points(&points, game->dealer_cards[0]);
    while (total_of(&points) < 17) {
        u8 card = draw(table);
        game->dealer_cards[game->dealer_count++] = card;
        add_points(&points, card);
    }
    u64 dealer_total = total_of(&points);
    if (dealer_total > 21) finish(game, RESULT_DEALER_BUST);
    else if (dealer_total > player_total) finish(game, RESULT_DEALER_WINS);
    else if (dealer_total < player_total) finish(game, RESULT_PLAYER_WINS);
    else finish(game, RESULT_TIE);
}

static inline void play(struct table *table, u8 requested)
{
    struct game *game = table->game;
    u64 player_draws = requested == STATUS_DEAL_REQUESTED ? 2 : requested == STATUS_HIT_REQUESTED ? 1 : 0;
    for (; player_draws > 0; player_draws--) game->player_cards[game->player_count++] = draw(table);
    if (requested == STATUS_DEAL_REQUESTED) game->dealer_cards[game->dealer_count++] = draw(table);
    struct points points = {0, 0};
    for (u64 index = 0; index < game->player_count; index++) add_points(&points, game->player_cards[index]);
    u64 total = total_of(&points);
    if (total > 21) finish(game, RESULT_PLAYER_BUST);
    else if (total < 21 && requested != STATUS_STAND_REQUESTED) game->status = STATUS_PLAYER_TURN;
    else play_dealer(table, total);
}

static inline u64 reveal(struct input *input)
{
    CHECK(check_data(input, sizeof(struct reveal_data), 8));
    CHECK(check_game(input, 3));
    const struct reveal_data *data = (const struct reveal_data *)input->data;
    const struct account *account = input->account[0];
    struct table table;
    struct game *game = table.game = (struct game *)account->data;
    CHECK(check_house(input->account[1], game));
    u8 requested = game->status;
    REQUIRE(waits_for_house(requested), ERROR_NOTHING_TO_REVEAL);
    REQUIRE(is_same_key(&input->account[2]->key, &SLOT_HASHES_KEY), ERROR_WRONG_SLOT_HASHES);
    const struct key *slot_hash;
    CHECK(find_slot_hash((const struct slot_hashes *)input->account[2]->data, game->slot, &slot_hash));
    struct slice parts[4] = {
        {&data->preimage, sizeof(struct key)},
        {&game->player_seed, sizeof(struct key)},
        {slot_hash, sizeof(struct key)},
        {&account->key, sizeof(struct key)},
    };
    struct key hash;
    sol_sha256(parts, 1, &hash);
    REQUIRE(is_same_key(&hash, &game->chain_tip), ERROR_WRONG_PREIMAGE);
    REQUIRE(is_same_key(&data->slot_hash, slot_hash), ERROR_WRONG_SLOT_HASH);

    sol_sha256(parts, 4, &table.stream.block);
    table.stream.used = 0;
    table.event.drawn_count = 0;
    play(&table, requested);
    table.event.type = EVENT_REVEALED;
    table.event.version = LAYOUT_VERSION;
    table.event.request = requested;
    table.event.status = game->status;
    table.event.result = game->result;
    table.event.reserved[0] = table.event.reserved[1] = table.event.reserved[2] = 0;
    table.event.slot = game->slot;
    table.event.game = account->key;
    table.event.preimage = data->preimage;
    table.event.slot_hash = *slot_hash;
    struct slice log = {&table.event, REVEALED_EVENT_HEAD + table.event.drawn_count};
    sol_log_data(&log, 1);
    game->chain_tip = data->preimage;
    game->slot = current_slot();
    return 0;
}

/* ---- Claim ---- */

static inline u64 claim(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_game(input, 2));
    const struct account *account = input->account[0];
    struct game *game = (struct game *)account->data;
    u8 status = game->status;
    int house_is_late = waits_for_house(status);
    REQUIRE(status != STATUS_FINISHED, ERROR_GAME_FINISHED);
    if (house_is_late) CHECK(check_player(input->account[1], game));
    else CHECK(check_house(input->account[1], game));
    u64 now = current_slot();
    REQUIRE(now - game->slot > (house_is_late ? REVEAL_WINDOW : PLAYER_WINDOW), ERROR_CLAIM_TOO_EARLY);
    u8 result = house_is_late ? RESULT_HOUSE_FORFEIT : RESULT_PLAYER_FORFEIT;
    struct claimed_event event = {
        .type = EVENT_CLAIMED,
        .version = LAYOUT_VERSION,
        .request = status,
        .result = result,
        .slot = game->slot,
        .game = account->key,
    };
    struct slice log = {&event, sizeof event};
    sol_log_data(&log, 1);
    finish(game, result);
    game->slot = now;
    return 0;
}

/* ---- Cleanup ---- */

static inline u64 cleanup(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_game(input, 2));
    struct account *account = input->account[0], *player = input->account[1];
    const struct game *game = (const struct game *)account->data;
    REQUIRE(game->version == LAYOUT_VERSION, ERROR_WRONG_ACCOUNT_TYPE);
    REQUIRE(is_same_key(&player->key, &game->player), ERROR_WRONG_RENT_RECEIVER);
    REQUIRE(player->is_writable, ERROR_READ_ONLY_ACCOUNT);
    REQUIRE(game->status == STATUS_FINISHED, ERROR_NOT_FINISHED);
    close_account(account, player);
    return 0;
}

u64 entrypoint(u8 *buffer)
{
    struct input input;
    switch (parse_input(buffer, &input)) {
    case PARSED: break;
    case PARSED_TOO_MANY_ACCOUNTS: return ERROR_WRONG_ACCOUNT_COUNT;
    case PARSED_DUPLICATE: return ERROR_DUPLICATE_ACCOUNT;
    case PARSED_MISALIGNED_DATA: return ERROR_WRONG_DATA_SIZE;
    }
    REQUIRE(input.data_size != 0, ERROR_WRONG_DATA_SIZE);
    u8 tag = input.data[0];
    switch (tag) {
    case TAG_CREATE: return create(&input);
    case TAG_DEAL:
    case TAG_HIT:
    case TAG_STAND: return request(&input, tag);
    case TAG_REVEAL: return reveal(&input);
    case TAG_CLAIM: return claim(&input);
    case TAG_CLEANUP: return cleanup(&input);
    case TAG_OPEN_HOUSE: return open_house(&input);
    case TAG_COMMIT: return commit(&input);
    case TAG_JOIN: return join(&input);
    case TAG_CLOSE_HOUSE: return close_house(&input);
    case TAG_OPEN_BANKROLL: return open_bankroll(&input);
    case TAG_SET_LIMITS: return set_limits(&input);
    case TAG_WITHDRAW: return withdraw(&input);
    case TAG_CLOSE_BANKROLL: return close_bankroll(&input);
    case TAG_JOIN_STAKED: return join_staked(&input);
    case TAG_SETTLE: return settle(&input);
    default: return ERROR_UNKNOWN_INSTRUCTION;
    }
}
