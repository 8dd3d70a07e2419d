/* Blackjack against the dealer, with cards that neither side can choose.
 *
 * When a game is created, the house commits to a chain of hashes and the player to a seed. The player's Deal, Hit and
 * Stand are requests. They fix the slot whose hash decides; nobody knows that hash yet. The house's Reveal then gives
 * the next pre-image of its chain, and the cards follow from the pre-image, the player's seed, the slot hash and the
 * game's address. A side that does not act in time forfeits the game.
 *
 * Both sign Create. A house that plays with strangers instead puts commitments into an account of its own, and a player
 * takes one of them by Join, alone.
 *
 * Every instruction checks first and writes afterwards, so a refused one changes nothing. Full hands and an empty shoe
 * need no check: a hand takes a card only below 21, when it has at most 20 cards, and both hands together never use up
 * 52 cards.
 */
#include "cards.h"

#define REQUIRE(condition, error)          \
    do {                                   \
        if (!(condition)) return (error);  \
    } while (0)

#define CHECK(check)              \
    do {                          \
        u64 error = (check);      \
        if (error) return error;  \
    } while (0)

static const char GAME_SEED[] = "blackjack";
static const char ADDRESS_MARKER[] = "ProgramDerivedAddress";
/* Only numbers whose canonical bump is 255 are used, so no search is needed. */
static const u8 BUMP = 255;
static const struct key SLOT_HASHES_KEY = {
    {0xaf0a2f1917d5a706ULL, 0x7acc77fbe365f2c6ULL, 0x133bbed029c582daULL, 0x0000002055002d6eULL}};

/* ---- checks that several instructions share ---- */

/* The first word of the data holds the tag and other values in its used bits; the remaining bits must be zero. */
static inline u64 check_data(const struct input *input, u64 size, u64 used_bits)
{
    REQUIRE(input->data_size == size, ERROR_WRONG_DATA_SIZE);
    REQUIRE(*(const u64 *)input->data >> used_bits == 0, ERROR_RESERVED_NOT_ZERO);
    return 0;
}

static inline u64 check_game(const struct input *input, u64 account_count)
{
    REQUIRE(input->account_count == account_count, ERROR_WRONG_ACCOUNT_COUNT);
    const struct account *account = input->account[0];
    REQUIRE(is_same_key(&account->owner, input->program_id), ERROR_FOREIGN_OWNER);
    REQUIRE(account->data_size == sizeof(struct game), ERROR_WRONG_ACCOUNT_SIZE);
    const struct game *game = (const struct game *)account->data;
    REQUIRE(game->version == LAYOUT_VERSION && game->type == TYPE_GAME, ERROR_WRONG_ACCOUNT_TYPE);
    REQUIRE(account->is_writable, ERROR_READ_ONLY_ACCOUNT);
    return 0;
}

static inline u64 check_player(const struct account *player, const struct game *game)
{
    REQUIRE(is_same_key(&player->key, &game->player), ERROR_WRONG_PLAYER);
    REQUIRE(player->is_signer, ERROR_PLAYER_MUST_SIGN);
    return 0;
}

static inline u64 check_house(const struct account *house, const struct game *game)
{
    REQUIRE(is_same_key(&house->key, &game->house), ERROR_WRONG_HOUSE);
    REQUIRE(house->is_signer, ERROR_HOUSE_MUST_SIGN);
    return 0;
}

/* The account of a house with its places; the size follows from their number. */
static inline u64 check_house_account(const struct input *input, const struct account *account)
{
    REQUIRE(is_same_key(&account->owner, input->program_id), ERROR_FOREIGN_OWNER);
    REQUIRE(account->data_size > sizeof(struct house), ERROR_WRONG_ACCOUNT_SIZE);
    const struct house *house = (const struct house *)account->data;
    REQUIRE(house->version == LAYOUT_VERSION && house->type == TYPE_HOUSE, ERROR_WRONG_ACCOUNT_TYPE);
    REQUIRE(account->is_writable, ERROR_READ_ONLY_ACCOUNT);
    return 0;
}

static inline u64 current_slot(void)
{
    struct clock clock;
    sol_get_clock_sysvar(&clock);
    return clock.slot;
}

static inline int waits_for_house(u8 status)
{
    return status == STATUS_DEAL_REQUESTED || status == STATUS_HIT_REQUESTED || status == STATUS_STAND_REQUESTED;
}

/* Empty an account and assign it to the system program, so that nobody can keep it alive by sending lamports in the same
 * transaction. */
static inline void close_account(struct account *account, struct account *receiver)
{
    receiver->lamports += account->lamports;
    account->lamports = 0;
    account->data_size = 0;
    account->owner = (struct key){{0, 0, 0, 0}};
}

/* ---- Create ---- */

static inline struct account_info info_of(struct account *account)
{
    return (struct account_info){
        .key = &account->key,
        .lamports = &account->lamports,
        .data_size = account->data_size,
        .data = account->data,
        .owner = &account->owner,
        .rent_epoch = ~0ULL,
        .is_signer = account->is_signer,
        .is_writable = account->is_writable,
        .is_executable = account->is_executable,
    };
}

/* The system program's instructions start with a 32-bit tag; the unused word before it aligns the other fields. */
struct create_call {
    u32 unused;
    u32 tag;
    u64 lamports;
    u64 space;
    struct key owner;
};

struct assign_call {
    u32 unused;
    u32 tag;
    struct key owner;
};

enum { SYSTEM_CREATE = 0, SYSTEM_ASSIGN = 1 };

/* Create the account. Anyone can send lamports to the address in advance, and the system program then refuses to create
 * the account. In that case it is assigned to this program and enlarged, so that nobody can block a game. */
static inline u64 make_account(struct input *input, const struct create_data *data, const struct signer_seeds *signer)
{
    struct account *game = input->account[0], *player = input->account[1];
    const struct key *system = &input->account[3]->key;
    struct account_meta metas[2] = {{&player->key, 1, 1}, {&game->key, 1, 1}};
    struct account_info infos[2] = {info_of(player), info_of(game)};
    if (game->lamports == 0) {
        struct create_call create = {0, SYSTEM_CREATE, data->lamports, sizeof(struct game), *input->program_id};
        struct instruction call = {system, metas, 2, &create.tag, sizeof create - sizeof(u32)};
        return sol_invoke_signed_c(&call, infos, 2, signer, 1);
    }
    REQUIRE(game->lamports >= data->lamports, ERROR_UNDERFUNDED);
    struct assign_call assign = {0, SYSTEM_ASSIGN, *input->program_id};
    struct instruction call = {system, metas + 1, 1, &assign.tag, sizeof assign - sizeof(u32)};
    CHECK(sol_invoke_signed_c(&call, infos + 1, 1, signer, 1));
    game->data_size = sizeof(struct game);
    return 0;
}

/* Make the game with a house that has committed to the tip: the last checks and all writes of Create and of Join. */
static inline u64 make_game(struct input *input, const struct key *house)
{
    const struct create_data *data = (const struct create_data *)input->data;
    struct account *account = input->account[0], *player = input->account[1];
    REQUIRE(data->decks >= 1 && data->decks <= MOST_DECKS, ERROR_WRONG_DECKS);
    REQUIRE(data->lamports != 0, ERROR_NO_RENT);
    REQUIRE(player->is_signer, ERROR_PLAYER_MUST_SIGN);
    REQUIRE(account->is_writable && player->is_writable, ERROR_READ_ONLY_ACCOUNT);
    REQUIRE(is_zero_key(&input->account[3]->key), ERROR_WRONG_SYSTEM_PROGRAM);

    /* The address as the runtime derives it; the first four parts are the account's signer seeds. */
    struct slice address_parts[6] = {
        {GAME_SEED, sizeof GAME_SEED - 1},      {&player->key, sizeof(struct key)},
        {&data->number, sizeof(u64)},           {&BUMP, 1},
        {input->program_id, sizeof(struct key)}, {ADDRESS_MARKER, sizeof ADDRESS_MARKER - 1},
    };
    struct key address;
    sol_sha256(address_parts, 6, &address);
    REQUIRE(is_same_key(&account->key, &address), ERROR_WRONG_ADDRESS);
    REQUIRE(!is_same_key(&account->owner, input->program_id), ERROR_GAME_EXISTS);
    REQUIRE(is_zero_key(&account->owner) && account->data_size == 0, ERROR_FOREIGN_OWNER);
    REQUIRE(sol_curve_validate_point(CURVE_EDWARDS, &address, 0) != 0, ERROR_UNUSABLE_NUMBER);
    struct signer_seeds signer = {address_parts, 4};
    CHECK(make_account(input, data, &signer));

    struct game *game = (struct game *)account->data;
    game->version = LAYOUT_VERSION;
    game->type = TYPE_GAME;
    game->decks = data->decks;
    game->status = STATUS_CREATED;
    game->player = player->key;
    sol_memset_(game->counts, data->decks, CARD_COUNT);
    game->cards_left = (u16)(CARD_COUNT * data->decks);
    game->house = *house;
    game->chain_tip = data->chain_tip;
    game->player_seed = data->player_seed;
    game->number = data->number;
    game->slot = current_slot();

    struct created_event event = {
        .type = EVENT_CREATED,
        .version = LAYOUT_VERSION,
        .decks = data->decks,
        .number = data->number,
        .game = account->key,
        .player = player->key,
        .house = *house,
        .player_seed = data->player_seed,
        .chain_tip = data->chain_tip,
    };
    struct slice log = {&event, sizeof event};
    sol_log_data(&log, 1);
    return 0;
}

static inline u64 create(struct input *input)
{
    CHECK(check_data(input, sizeof(struct create_data), 16));
    REQUIRE(input->account_count == 4, ERROR_WRONG_ACCOUNT_COUNT);
    REQUIRE(input->account[2]->is_signer, ERROR_HOUSE_MUST_SIGN);
    return make_game(input, &input->account[2]->key);
}

/* ---- OpenHouse, Commit, Join, CloseHouse ---- */

static inline u64 open_house(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    REQUIRE(input->account_count == 2, ERROR_WRONG_ACCOUNT_COUNT);
    struct account *account = input->account[0];
    REQUIRE(is_same_key(&account->owner, input->program_id), ERROR_FOREIGN_OWNER);
    REQUIRE(account->is_writable, ERROR_READ_ONLY_ACCOUNT);
    REQUIRE(input->account[1]->is_signer, ERROR_HOUSE_MUST_SIGN);
    u64 places = account->data_size - sizeof(struct house);
    REQUIRE(account->data_size > sizeof(struct house) && places % sizeof(struct key) == 0 &&
                places <= MOST_COMMITMENTS * sizeof(struct key),
            ERROR_WRONG_CAPACITY);
    struct house *house = (struct house *)account->data;
    REQUIRE(house->version == 0, ERROR_HOUSE_EXISTS);
    house->version = LAYOUT_VERSION;
    house->type = TYPE_HOUSE;
    house->house = input->account[1]->key;
    house->capacity = (u32)(places / sizeof(struct key));
    return 0;
}

static inline u64 check_own_house(struct input *input)
{
    REQUIRE(input->account_count == 2, ERROR_WRONG_ACCOUNT_COUNT);
    CHECK(check_house_account(input, input->account[0]));
    const struct house *house = (const struct house *)input->account[0]->data;
    REQUIRE(is_same_key(&input->account[1]->key, &house->house), ERROR_WRONG_HOUSE);
    REQUIRE(input->account[1]->is_signer, ERROR_HOUSE_MUST_SIGN);
    return 0;
}

/* The runtime takes back what a refused instruction has written, so the places are filled in one pass. */
static inline u64 commit(struct input *input)
{
    const struct commit_data *data = (const struct commit_data *)input->data;
    REQUIRE(input->data_size > sizeof(struct commit_data), ERROR_WRONG_DATA_SIZE);
    REQUIRE(input->data_size == sizeof(struct commit_data) + data->count * sizeof(struct key), ERROR_WRONG_DATA_SIZE);
    REQUIRE((*(const u64 *)data & 0xffffff00) == 0, ERROR_RESERVED_NOT_ZERO);
    CHECK(check_own_house(input));
    struct house *house = (struct house *)input->account[0]->data;
    u64 given = 0, count = data->count;
    for (u64 place = 0; place < house->capacity && given < count; place++) {
        if (!is_zero_key(&house->tip[place])) continue;
        REQUIRE(!is_zero_key(&data->tip[given]), ERROR_ZERO_COMMITMENT);
        house->tip[place] = data->tip[given++];
    }
    REQUIRE(given == count, ERROR_NO_ROOM);
    return 0;
}

static inline u64 join(struct input *input)
{
    CHECK(check_data(input, sizeof(struct create_data), 24));
    REQUIRE(input->account_count == 4, ERROR_WRONG_ACCOUNT_COUNT);
    const struct create_data *data = (const struct create_data *)input->data;
    CHECK(check_house_account(input, input->account[2]));
    struct house *house = (struct house *)input->account[2]->data;
    REQUIRE(data->place < house->capacity && is_same_key(&house->tip[data->place], &data->chain_tip),
            ERROR_COMMITMENT_GONE);
    REQUIRE(!is_zero_key(&data->chain_tip), ERROR_ZERO_COMMITMENT);
    CHECK(make_game(input, &house->house));
    house->tip[data->place] = (struct key){{0, 0, 0, 0}};
    return 0;
}

/* Return the rent to the house. Games that were opened before are not affected: each has its own tip. */
static inline u64 close_house(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_own_house(input));
    REQUIRE(input->account[1]->is_writable, ERROR_READ_ONLY_ACCOUNT);
    close_account(input->account[0], input->account[1]);
    return 0;
}

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
    default: return ERROR_UNKNOWN_INSTRUCTION;
    }
}
