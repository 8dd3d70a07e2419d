/* What several instructions share: the checks of accounts, the clock, and the end of an account. */
#ifndef CROUPIER_CHECKS_H
#define CROUPIER_CHECKS_H

#include "layout.h"

#define REQUIRE(condition, error)          \
    do {                                   \
        if (!(condition)) return (error);  \
    } while (0)

#define CHECK(check)              \
    do {                          \
        u64 error = (check);      \
        if (error) return error;  \
    } while (0)

/* The account of version 2. */
struct staked_game {
    struct game game;
    struct stake stake;
};

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
    int is_staked = account->data_size == sizeof(struct staked_game);
    REQUIRE(account->data_size == sizeof(struct game) || is_staked, ERROR_WRONG_ACCOUNT_SIZE);
    const struct game *game = (const struct game *)account->data;
    REQUIRE(game->version == (is_staked ? STAKED_VERSION : LAYOUT_VERSION) && game->type == TYPE_GAME,
            ERROR_WRONG_ACCOUNT_TYPE);
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

static inline u64 check_bankroll(const struct input *input, const struct account *account)
{
    REQUIRE(is_same_key(&account->owner, input->program_id), ERROR_FOREIGN_OWNER);
    REQUIRE(account->data_size == sizeof(struct bankroll), ERROR_WRONG_ACCOUNT_SIZE);
    const struct bankroll *bankroll = (const struct bankroll *)account->data;
    REQUIRE(bankroll->version == LAYOUT_VERSION && bankroll->type == TYPE_BANKROLL, ERROR_WRONG_ACCOUNT_TYPE);
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

#endif
