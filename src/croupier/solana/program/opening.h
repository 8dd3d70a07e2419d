/* The beginning of a game: Create, and the account in which a house offers games to strangers. */
#ifndef CROUPIER_OPENING_H
#define CROUPIER_OPENING_H

#include "checks.h"

static const char GAME_SEED[] = "blackjack";
static const char ADDRESS_MARKER[] = "ProgramDerivedAddress";
/* Only numbers whose canonical bump is 255 are used, so no search is needed. */
static const u8 BUMP = 255;

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
static inline u64 make_account(struct input *input, u64 size, const struct create_data *data,
                               const struct signer_seeds *signer)
{
    struct account *game = input->account[0], *player = input->account[1];
    const struct key *system = &input->account[3]->key;
    struct account_meta metas[2] = {{&player->key, 1, 1}, {&game->key, 1, 1}};
    struct account_info infos[2] = {info_of(player), info_of(game)};
    if (game->lamports == 0) {
        struct create_call create = {0, SYSTEM_CREATE, data->lamports, size, *input->program_id};
        struct instruction call = {system, metas, 2, &create.tag, sizeof create - sizeof(u32)};
        return sol_invoke_signed_c(&call, infos, 2, signer, 1);
    }
    REQUIRE(game->lamports >= data->lamports, ERROR_UNDERFUNDED);
    struct assign_call assign = {0, SYSTEM_ASSIGN, *input->program_id};
    struct instruction call = {system, metas + 1, 1, &assign.tag, sizeof assign - sizeof(u32)};
    CHECK(sol_invoke_signed_c(&call, infos + 1, 1, signer, 1));
    game->data_size = size;
    return 0;
}

/* Make the game with a house that has committed to the tip: the last checks and most writes of Create, Join and
 * JoinStaked, and the event that they log. */
static inline u64 make_game(struct input *input, const struct key *house, u8 version, struct created_event *event)
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
    u64 size = version == STAKED_VERSION ? sizeof(struct staked_game) : sizeof(struct game);
    CHECK(make_account(input, size, data, &signer));

    struct game *game = (struct game *)account->data;
    game->version = version;
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

    *event = (struct created_event){
        .type = EVENT_CREATED,
        .version = version,
        .decks = data->decks,
        .number = data->number,
        .game = account->key,
        .player = player->key,
        .house = *house,
        .player_seed = data->player_seed,
        .chain_tip = data->chain_tip,
    };
    return 0;
}

static inline u64 make_plain_game(struct input *input, const struct key *house)
{
    struct created_event event;
    CHECK(make_game(input, house, LAYOUT_VERSION, &event));
    struct slice log = {&event, sizeof event};
    sol_log_data(&log, 1);
    return 0;
}

static inline u64 create(struct input *input)
{
    CHECK(check_data(input, sizeof(struct create_data), 16));
    REQUIRE(input->account_count == 4, ERROR_WRONG_ACCOUNT_COUNT);
    REQUIRE(input->account[2]->is_signer, ERROR_HOUSE_MUST_SIGN);
    return make_plain_game(input, &input->account[2]->key);
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

/* The house's account has the commitment that the data names. */
static inline u64 check_commitment(struct input *input)
{
    const struct create_data *data = (const struct create_data *)input->data;
    CHECK(check_house_account(input, input->account[2]));
    struct house *house = (struct house *)input->account[2]->data;
    REQUIRE(data->place < house->capacity && is_same_key(&house->tip[data->place], &data->chain_tip),
            ERROR_COMMITMENT_GONE);
    REQUIRE(!is_zero_key(&data->chain_tip), ERROR_ZERO_COMMITMENT);
    return 0;
}

static inline void take_commitment(struct input *input)
{
    const struct create_data *data = (const struct create_data *)input->data;
    ((struct house *)input->account[2]->data)->tip[data->place] = (struct key){{0, 0, 0, 0}};
}

static inline u64 join(struct input *input)
{
    CHECK(check_data(input, sizeof(struct create_data), 24));
    REQUIRE(input->account_count == 4, ERROR_WRONG_ACCOUNT_COUNT);
    CHECK(check_commitment(input));
    CHECK(make_plain_game(input, &((struct house *)input->account[2]->data)->house));
    take_commitment(input);
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

#endif
