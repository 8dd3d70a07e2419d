/* Stakes: the bankroll of a house, the game that takes a bet and its cover, and how they are shared out. */
#ifndef CROUPIER_STAKES_H
#define CROUPIER_STAKES_H

#include "opening.h"

/* ---- OpenBankroll, SetLimits, Withdraw, CloseBankroll ---- */

/* Write the limits. The sum of the largest bet and the bond must fit into a number. */
static inline u64 set_limits_of(struct bankroll *bankroll, const struct limits_data *data)
{
    REQUIRE(data->least_bet >= 1 && data->least_bet <= data->most_bet && data->reserve >= 1 &&
                data->most_bet <= ~0ULL - data->bond,
            ERROR_WRONG_LIMITS);
    bankroll->least_bet = data->least_bet;
    bankroll->most_bet = data->most_bet;
    bankroll->bond = data->bond;
    bankroll->reserve = data->reserve;
    return 0;
}

static inline u64 open_bankroll(struct input *input)
{
    CHECK(check_data(input, sizeof(struct limits_data), 8));
    REQUIRE(input->account_count == 2, ERROR_WRONG_ACCOUNT_COUNT);
    struct account *account = input->account[0];
    REQUIRE(is_same_key(&account->owner, input->program_id), ERROR_FOREIGN_OWNER);
    REQUIRE(account->data_size == sizeof(struct bankroll), ERROR_WRONG_ACCOUNT_SIZE);
    REQUIRE(account->is_writable, ERROR_READ_ONLY_ACCOUNT);
    REQUIRE(input->account[1]->is_signer, ERROR_HOUSE_MUST_SIGN);
    struct bankroll *bankroll = (struct bankroll *)account->data;
    REQUIRE(bankroll->version == 0, ERROR_HOUSE_EXISTS);
    CHECK(set_limits_of(bankroll, (const struct limits_data *)input->data));
    bankroll->version = LAYOUT_VERSION;
    bankroll->type = TYPE_BANKROLL;
    bankroll->house = input->account[1]->key;
    return 0;
}

static inline u64 check_own_bankroll(struct input *input)
{
    REQUIRE(input->account_count == 2, ERROR_WRONG_ACCOUNT_COUNT);
    CHECK(check_bankroll(input, input->account[0]));
    const struct bankroll *bankroll = (const struct bankroll *)input->account[0]->data;
    REQUIRE(is_same_key(&input->account[1]->key, &bankroll->house), ERROR_WRONG_HOUSE);
    REQUIRE(input->account[1]->is_signer, ERROR_HOUSE_MUST_SIGN);
    return 0;
}

/* Games that are open keep the bet and the cover that they have. */
static inline u64 set_limits(struct input *input)
{
    CHECK(check_data(input, sizeof(struct limits_data), 8));
    CHECK(check_own_bankroll(input));
    return set_limits_of((struct bankroll *)input->account[0]->data, (const struct limits_data *)input->data);
}

/* Something must be left, or the account would vanish while games wait for it; the runtime asks for the rent. */
static inline u64 withdraw(struct input *input)
{
    CHECK(check_data(input, sizeof(struct withdraw_data), 8));
    CHECK(check_own_bankroll(input));
    struct account *account = input->account[0], *house = input->account[1];
    REQUIRE(house->is_writable, ERROR_READ_ONLY_ACCOUNT);
    u64 lamports = ((const struct withdraw_data *)input->data)->lamports;
    REQUIRE(lamports < account->lamports, ERROR_BANKROLL_LOW);
    account->lamports -= lamports;
    house->lamports += lamports;
    return 0;
}

static inline u64 close_bankroll(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_own_bankroll(input));
    REQUIRE(input->account[1]->is_writable, ERROR_READ_ONLY_ACCOUNT);
    REQUIRE(((const struct bankroll *)input->account[0]->data)->open_games == 0, ERROR_GAMES_OPEN);
    close_account(input->account[0], input->account[1]);
    return 0;
}

/* ---- JoinStaked, Settle ---- */

static inline u64 check_stake(struct input *input)
{
    const struct join_staked_data *data = (const struct join_staked_data *)input->data;
    CHECK(check_bankroll(input, input->account[4]));
    const struct bankroll *bankroll = (const struct bankroll *)input->account[4]->data;
    const struct house *house = (const struct house *)input->account[2]->data;
    REQUIRE(is_same_key(&bankroll->house, &house->house), ERROR_WRONG_BANKROLL);
    REQUIRE(data->bet >= bankroll->least_bet && data->bet <= bankroll->most_bet, ERROR_WRONG_BET);
    REQUIRE(data->cover == data->bet + bankroll->bond, ERROR_WRONG_COVER);
    u64 held = input->account[4]->lamports;
    REQUIRE(held >= bankroll->reserve && held - bankroll->reserve >= data->cover, ERROR_BANKROLL_LOW);
    REQUIRE(data->lamports > data->bet && data->lamports - data->bet >= LEAST_RENT, ERROR_NO_RENT);
    return 0;
}

static inline u64 join_staked(struct input *input)
{
    CHECK(check_data(input, sizeof(struct join_staked_data), 24));
    REQUIRE(input->account_count == 5, ERROR_WRONG_ACCOUNT_COUNT);
    CHECK(check_commitment(input));
    CHECK(check_stake(input));
    const struct join_staked_data *data = (const struct join_staked_data *)input->data;
    struct {
        struct created_event created;
        struct stake stake;
    } event;
    CHECK(make_game(input, &((struct house *)input->account[2]->data)->house, STAKED_VERSION, &event.created));
    take_commitment(input);
    struct account *account = input->account[0], *purse = input->account[4];
    purse->lamports -= data->cover;
    account->lamports += data->cover;
    ((struct bankroll *)purse->data)->open_games++;
    event.stake = (struct stake){purse->key, data->bet, data->cover};
    ((struct staked_game *)account->data)->stake = event.stake;
    struct slice log = {&event, sizeof event};
    sol_log_data(&log, 1);
    return 0;
}

/* What goes to the bankroll. The game's account holds bet, cover and more, so the rest is the player's. */
static inline u64 house_share(u8 result, const struct stake *stake)
{
    switch (result) {
    case RESULT_PLAYER_WINS:
    case RESULT_DEALER_BUST: return stake->cover - stake->bet;
    case RESULT_TIE: return stake->cover;
    case RESULT_HOUSE_FORFEIT: return 0;
    default: return stake->cover + stake->bet;
    }
}

static inline u64 settle(struct input *input)
{
    CHECK(check_data(input, sizeof(struct plain_data), 8));
    CHECK(check_game(input, 3));
    struct account *account = input->account[0], *player = input->account[1], *purse = input->account[2];
    const struct game *game = (const struct game *)account->data;
    REQUIRE(game->version == STAKED_VERSION, ERROR_WRONG_ACCOUNT_TYPE);
    REQUIRE(is_same_key(&player->key, &game->player), ERROR_WRONG_RENT_RECEIVER);
    REQUIRE(player->is_writable, ERROR_READ_ONLY_ACCOUNT);
    const struct stake *stake = &((const struct staked_game *)game)->stake;
    REQUIRE(is_same_key(&purse->key, &stake->bankroll), ERROR_WRONG_BANKROLL);
    CHECK(check_bankroll(input, purse));
    REQUIRE(game->status == STATUS_FINISHED, ERROR_NOT_FINISHED);
    u64 share = house_share(game->result, stake);
    struct settled_event event = {
        .type = EVENT_SETTLED,
        .version = LAYOUT_VERSION,
        .result = game->result,
        .player_lamports = account->lamports - share,
        .house_lamports = share,
        .game = account->key,
    };
    struct slice log = {&event, sizeof event};
    sol_log_data(&log, 1);
    ((struct bankroll *)purse->data)->open_games--;
    purse->lamports += share;
    account->lamports -= share;
    close_account(account, player);
    return 0;
}

#endif
