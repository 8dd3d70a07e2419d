/* The byte layout of the account, the instructions and the events, and all codes.
 *
 * All numbers are little-endian and aligned to their size. layout.py and codes.py of the Python client say the same;
 * a test compares them.
 */
#ifndef CROUPIER_LAYOUT_H
#define CROUPIER_LAYOUT_H

#include "runtime.h"

#define LAYOUT_VERSION 1
#define STAKED_VERSION 2 /* of a game with stakes, and of the event that tells of its creation */
#define TYPE_GAME 1
#define TYPE_HOUSE 2
#define TYPE_BANKROLL 3
#define MOST_COMMITMENTS 255 /* a place is one byte */
#define CARD_COUNT 52
#define HAND_SIZE 23 /* the longest hand that is not bust (21 aces), the card that busts it, one in reserve */
#define MOST_DECKS 8 /* eight counts of at most eight add up to at most 64, which fits in one byte */

/* What a player pays for a staked game beyond the bet, at least: the runtime's least balance of a wallet. So even an
 * empty wallet can take its share, and nobody blocks a settlement by emptying it. */
#define LEAST_RENT 890880

/* The player may claim the game when the house has not revealed for this many slots, about a minute. Slot hashes are
 * kept for 512 blocks, so the house can still reveal when the claim becomes possible. */
#define REVEAL_WINDOW 150
/* The house may claim the game when the player has not acted for this many slots, about a day. */
#define PLAYER_WINDOW 216000

/* Cards are 13 * suit + rank: suits hearts, diamonds, clubs, spades; ranks ace, 2 ... 10, jack, queen, king. */
struct game {
    u8 version;                 /*   0 */
    u8 type;                    /*   1 */
    u8 decks;                   /*   2 */
    u8 status;                  /*   3  enum status */
    u8 result;                  /*   4  enum result */
    u8 reserved_a[3];           /*   5  zero */
    struct key player;          /*   8  pays the rent and gets it back */
    u8 counts[CARD_COUNT];      /*  40  how many of each card are left */
    u8 player_cards[HAND_SIZE]; /*  92 */
    u8 player_count;            /* 115  needed because code 0 is the ace of hearts */
    u8 dealer_cards[HAND_SIZE]; /* 116 */
    u8 dealer_count;            /* 139 */
    u16 cards_left;             /* 140  the sum of counts */
    u8 reserved_b[2];           /* 142  zero */
    struct key house;           /* 144  reveals */
    struct key chain_tip;       /* 176  SHA-256 of the next pre-image */
    struct key player_seed;     /* 208  the player's part of the randomness */
    u64 number;                 /* 240  the player's number for the game, part of its address */
    u64 slot;                   /* 248  of the last change; while a request is open, the slot whose hash decides */
};

_Static_assert(sizeof(struct game) == 256, "256 bytes without padding");

/* What follows a game of version 2, and the event of its creation. Bet and cover lie in the game's account. */
struct stake {
    struct key bankroll; /*  0  gets the house's share */
    u64 bet;             /* 32  of the player, in lamports */
    u64 cover;           /* 40  of the house: the bet, and the bond that it loses only by not answering */
};

/* The account in which a house offers games to strangers: tips of chains, one per game; a place of zeros is free.
 * The house makes the account with the system program, at any address. */
struct house {
    u8 version;           /*  0 */
    u8 type;              /*  1 */
    u8 reserved_a[6];     /*  2  zero */
    struct key house;     /*  8  commits, reveals, and gets the rent back */
    u8 reserved_b[4];     /* 40  zero */
    u32 capacity;         /* 44  how many places follow */
    struct key tip[];     /* 48 */
};

/* The account from which a house covers bets. The house makes it with the system program; anybody can pay in. */
struct bankroll {
    u8 version;       /*  0 */
    u8 type;          /*  1 */
    u8 reserved_a[6]; /*  2  zero */
    struct key house; /*  8  sets the limits and withdraws */
    u64 least_bet;    /* 40 */
    u64 most_bet;     /* 48 */
    u64 bond;         /* 56  what a house that does not answer loses beyond the bet */
    u64 reserve;      /* 64  lamports that no bet touches; at least one, so that the account never vanishes */
    u64 open_games;   /* 72  games that are not settled yet */
};

enum status {
    STATUS_CREATED = 1,
    STATUS_DEAL_REQUESTED = 2,
    STATUS_PLAYER_TURN = 3,
    STATUS_HIT_REQUESTED = 4,
    STATUS_STAND_REQUESTED = 5,
    STATUS_FINISHED = 6,
};

enum result {
    RESULT_OPEN = 0,
    RESULT_PLAYER_WINS = 1,
    RESULT_DEALER_WINS = 2,
    RESULT_TIE = 3,
    RESULT_PLAYER_BUST = 4,
    RESULT_DEALER_BUST = 5,
    RESULT_HOUSE_FORFEIT = 6,
    RESULT_PLAYER_FORFEIT = 7,
};

/* Instruction data: a word whose first byte is the tag, then the instruction's own fields. Reserved bytes are zero.
 * The accounts of each instruction:
 *
 *   Create      game (writable), player (signs, writable), house (signs), system program
 *   Deal        game (writable), player (signs)
 *   Hit         game (writable), player (signs)
 *   Stand       game (writable), player (signs)
 *   Reveal      game (writable), house (signs), SlotHashes sysvar
 *   Claim       game (writable), the player or the house (signs)
 *   Cleanup     game (writable), player (writable)
 *   OpenHouse   house's account (writable), house (signs)
 *   Commit      house's account (writable), house (signs)
 *   Join        game (writable), player (signs, writable), house's account (writable), system program
 *   CloseHouse  house's account (writable), house (signs, writable)
 *
 * With stakes:
 *
 *   OpenBankroll   bankroll (writable), house (signs)
 *   SetLimits      bankroll (writable), house (signs)
 *   Withdraw       bankroll (writable), house (signs, writable)
 *   CloseBankroll  bankroll (writable), house (signs, writable)
 *   JoinStaked     game (writable), player (signs, writable), house's account (writable), system program, bankroll (writable)
 *   Settle         game (writable), player (writable), bankroll (writable)
 */
enum tag {
    TAG_CREATE = 0,
    TAG_DEAL = 1,
    TAG_HIT = 2,
    TAG_STAND = 3,
    TAG_REVEAL = 4,
    TAG_CLAIM = 5,
    TAG_CLEANUP = 6,
    TAG_OPEN_HOUSE = 7,
    TAG_COMMIT = 8,
    TAG_JOIN = 9,
    TAG_CLOSE_HOUSE = 10,
    TAG_OPEN_BANKROLL = 11,
    TAG_SET_LIMITS = 12,
    TAG_WITHDRAW = 13,
    TAG_CLOSE_BANKROLL = 14,
    TAG_JOIN_STAKED = 15,
    TAG_SETTLE = 16,
};

/* Of Create, which the house signs, and of Join, which takes a commitment out of the house's account. */
struct create_data {
    u8 tag;                 /*  0 */
    u8 decks;               /*  1 */
    u8 place;               /*  2  of the commitment in the house's account; zero in Create */
    u8 reserved[5];         /*  3  zero */
    u64 number;             /*  8 */
    u64 lamports;           /* 16  for the account; the runtime refuses less than the rent, except nothing at all */
    struct key player_seed; /* 24 */
    struct key chain_tip;   /* 56 */
};

/* Of JoinStaked. The player names the cover, so that a house cannot change its bond in the last moment. */
struct join_staked_data {
    u8 tag;                 /*  0 */
    u8 decks;               /*  1 */
    u8 place;               /*  2 */
    u8 reserved[5];         /*  3  zero */
    u64 number;             /*  8 */
    u64 lamports;           /* 16  for the account: its rent and the bet */
    struct key player_seed; /* 24 */
    struct key chain_tip;   /* 56 */
    u64 bet;                /* 88 */
    u64 cover;              /* 96 */
};

/* Of OpenBankroll and of SetLimits. */
struct limits_data {
    u8 tag;         /*  0 */
    u8 reserved[7]; /*  1  zero */
    u64 least_bet;  /*  8 */
    u64 most_bet;   /* 16 */
    u64 bond;       /* 24 */
    u64 reserve;    /* 32 */
};

struct withdraw_data {
    u8 tag;         /* 0 */
    u8 reserved[7]; /* 1  zero */
    u64 lamports;   /* 8 */
};

/* The slot's hash is here so that the instructions alone prove a game: logs can be cut short. */
struct reveal_data {
    u8 tag;               /*  0 */
    u8 reserved[7];       /*  1  zero */
    struct key preimage;  /*  8 */
    struct key slot_hash; /* 40  of the slot of the request */
};

struct commit_data {
    u8 tag;           /* 0 */
    u8 reserved[3];   /* 1  zero */
    u32 count;        /* 4  of the tips that follow */
    struct key tip[]; /* 8  they fill the free places in order */
};

struct plain_data {
    u8 tag;         /* 0 */
    u8 reserved[7]; /* 1  zero */
};

/* Events are written with sol_log_data, one slice each. */
enum event {
    EVENT_CREATED = 1,
    EVENT_REVEALED = 2,
    EVENT_CLAIMED = 3,
    EVENT_SETTLED = 4,
};

struct created_event {
    u8 type;                /*   0 */
    u8 version;             /*   1 */
    u8 decks;               /*   2 */
    u8 reserved[5];         /*   3  zero */
    u64 number;             /*   8 */
    struct key game;        /*  16 */
    struct key player;      /*  48 */
    struct key house;       /*  80 */
    struct key player_seed; /* 112 */
    struct key chain_tip;   /* 144 */
};

struct revealed_event {
    u8 type;                  /*   0 */
    u8 version;               /*   1 */
    u8 request;               /*   2  the status before: the request that was answered */
    u8 status;                /*   3  the status after */
    u8 result;                /*   4 */
    u8 reserved[3];           /*   5  zero */
    u64 slot;                 /*   8  of the request */
    struct key game;          /*  16 */
    struct key preimage;      /*  48 */
    struct key slot_hash;     /*  80  of the slot of the request */
    u32 drawn_count;          /* 112 */
    u8 drawn[2 * HAND_SIZE];  /* 116  drawn_count cards, in order; the event ends after the last */
    u8 padding[6];            /*      never sent */
};

#define REVEALED_EVENT_HEAD 116

struct claimed_event {
    u8 type;         /*  0 */
    u8 version;      /*  1 */
    u8 request;      /*  2  the status before */
    u8 result;       /*  3 */
    u8 reserved[4];  /*  4  zero */
    u64 slot;        /*  8  of the last change, from which the waiting time counts */
    struct key game; /* 16 */
};

struct settled_event {
    u8 type;             /*  0 */
    u8 version;          /*  1 */
    u8 result;           /*  2 */
    u8 reserved[5];      /*  3  zero */
    u64 player_lamports; /*  8  what the player got: the share of the stakes, and the rent */
    u64 house_lamports;  /* 16  what went to the bankroll */
    struct key game;     /* 24 */
};

/* The return value of a refused instruction, which changes nothing. The numbers begin where other programs' end: the
 * system program, which Create calls, uses small ones. */
enum error {
    ERROR_UNKNOWN_INSTRUCTION = 6000,
    ERROR_WRONG_DATA_SIZE = 6001,
    ERROR_RESERVED_NOT_ZERO = 6002,
    ERROR_WRONG_ACCOUNT_COUNT = 6003,
    ERROR_DUPLICATE_ACCOUNT = 6004,
    ERROR_READ_ONLY_ACCOUNT = 6005,
    ERROR_FOREIGN_OWNER = 6006,
    ERROR_WRONG_ACCOUNT_SIZE = 6007,
    ERROR_WRONG_ACCOUNT_TYPE = 6008,
    ERROR_WRONG_PLAYER = 6009,
    ERROR_WRONG_HOUSE = 6010,
    ERROR_PLAYER_MUST_SIGN = 6011,
    ERROR_HOUSE_MUST_SIGN = 6012,
    ERROR_WRONG_SYSTEM_PROGRAM = 6013,
    ERROR_WRONG_DECKS = 6014,
    ERROR_GAME_EXISTS = 6015,
    ERROR_WRONG_ADDRESS = 6016,
    ERROR_UNUSABLE_NUMBER = 6017,
    ERROR_UNDERFUNDED = 6018,
    ERROR_ALREADY_DEALT = 6019,
    ERROR_NOT_DEALT = 6020,
    ERROR_ALREADY_STOOD = 6021,
    ERROR_REVEAL_PENDING = 6022,
    ERROR_GAME_FINISHED = 6023,
    ERROR_NOTHING_TO_REVEAL = 6024,
    ERROR_WRONG_SLOT_HASHES = 6025,
    ERROR_SLOT_HASH_NOT_YET = 6026,
    ERROR_SLOT_HASH_GONE = 6027,
    ERROR_WRONG_PREIMAGE = 6028,
    ERROR_CLAIM_TOO_EARLY = 6029,
    ERROR_NOT_FINISHED = 6030,
    ERROR_WRONG_RENT_RECEIVER = 6031,
    ERROR_NO_RENT = 6032,
    ERROR_WRONG_SLOT_HASH = 6033,
    ERROR_HOUSE_EXISTS = 6034,
    ERROR_WRONG_CAPACITY = 6035,
    ERROR_NO_ROOM = 6036,
    ERROR_ZERO_COMMITMENT = 6037,
    ERROR_COMMITMENT_GONE = 6038,
    ERROR_WRONG_LIMITS = 6039,
    ERROR_WRONG_BET = 6040,
    ERROR_WRONG_COVER = 6041,
    ERROR_BANKROLL_LOW = 6042,
    ERROR_WRONG_BANKROLL = 6043,
    ERROR_GAMES_OPEN = 6044,
};

#endif
