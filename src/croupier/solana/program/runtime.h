/* The input of a Solana program, and the system calls that it uses.
 *
 * The loader passes one buffer: the number of accounts, the accounts, the instruction data, the program's own key.
 * Nothing is copied: the structs lie over the buffer. Everything in it is aligned to eight bytes if the size of the
 * instruction data is a multiple of eight, which parse_input() checks.
 */
#ifndef CROUPIER_RUNTIME_H
#define CROUPIER_RUNTIME_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/* A public key or a hash, as four words: compared and copied eight bytes at a time. */
struct key {
    u64 word[4];
};

struct slice {
    const void *bytes;
    u64 size;
};

/* One account in the loader's layout. After the data come 10,240 bytes to grow into, and the rent epoch. */
struct account {
    u8 first_seen; /* 0xff, or the index of the account that this one duplicates */
    u8 is_signer;
    u8 is_writable;
    u8 is_executable;
    u32 reserved;
    struct key key;
    struct key owner;
    u64 lamports;
    u64 data_size;
    u8 data[];
};

_Static_assert(sizeof(struct account) == 88, "the loader puts 88 bytes before the data");

#define MOST_ACCOUNTS 5
#define NO_DUPLICATE 0xff
#define ROOM_TO_GROW 10240

struct input {
    u64 account_count;
    struct account *account[MOST_ACCOUNTS];
    const u8 *data;
    u64 data_size;
    const struct key *program_id;
};

struct clock {
    u64 slot;
    u64 epoch_start_timestamp;
    u64 epoch;
    u64 leader_schedule_epoch;
    u64 unix_timestamp;
};

/* The SlotHashes sysvar: at most 512 entries, newest slot first; slots without a block are missing. */
struct slot_hash {
    u64 slot;
    struct key hash;
};

struct slot_hashes {
    u64 count;
    struct slot_hash entry[];
};

#define MOST_SLOT_HASHES 512

/* Calls to other programs, in the layout of the C interface. */
struct account_meta {
    const struct key *key;
    u8 is_writable;
    u8 is_signer;
};

struct account_info {
    const struct key *key;
    u64 *lamports;
    u64 data_size;
    u8 *data;
    const struct key *owner;
    u64 rent_epoch;
    u8 is_signer;
    u8 is_writable;
    u8 is_executable;
};

struct instruction {
    const struct key *program_id;
    const struct account_meta *accounts;
    u64 account_count;
    const void *data;
    u64 data_size;
};

struct signer_seeds {
    const struct slice *seeds;
    u64 count;
};

/* System calls. The linker knows these names and turns each call into the hash of its name. */
extern u64 sol_sha256(const struct slice *parts, u64 count, struct key *hash);
extern u64 sol_get_clock_sysvar(struct clock *clock);
extern u64 sol_curve_validate_point(u64 curve, const struct key *point, u8 *unused);
extern u64 sol_invoke_signed_c(const struct instruction *call, const struct account_info *accounts, u64 account_count,
                               const struct signer_seeds *signers, u64 signer_count);
extern void sol_log_data(const struct slice *parts, u64 count);
extern void sol_memset_(void *bytes, u8 value, u64 size);

#define CURVE_EDWARDS 0

static inline int is_same_key(const struct key *one, const struct key *other)
{
    return one->word[0] == other->word[0] && one->word[1] == other->word[1] && one->word[2] == other->word[2] &&
           one->word[3] == other->word[3];
}

/* The system program's key is 32 zeros. */
static inline int is_zero_key(const struct key *key)
{
    return (key->word[0] | key->word[1] | key->word[2] | key->word[3]) == 0;
}

enum parse_result { PARSED, PARSED_MISALIGNED_DATA, PARSED_TOO_MANY_ACCOUNTS, PARSED_DUPLICATE };

/* Find the accounts, the instruction data and the program's key in the loader's buffer. */
static inline enum parse_result parse_input(u8 *buffer, struct input *input)
{
    u8 *cursor = buffer + sizeof(u64);
    input->account_count = *(const u64 *)buffer;
    if (input->account_count > MOST_ACCOUNTS) return PARSED_TOO_MANY_ACCOUNTS;
    for (u64 index = 0; index < input->account_count; index++) {
        struct account *account = (struct account *)cursor;
        if (account->first_seen != NO_DUPLICATE) return PARSED_DUPLICATE;
        input->account[index] = account;
        u64 room = (account->data_size + ROOM_TO_GROW + 7) & ~7ULL;
        cursor += sizeof(struct account) + room + sizeof(u64); /* the last word is the rent epoch */
    }
    input->data_size = *(const u64 *)cursor;
    input->data = cursor + sizeof(u64);
    if (input->data_size % sizeof(u64) != 0) return PARSED_MISALIGNED_DATA;
    input->program_id = (const struct key *)(input->data + input->data_size);
    return PARSED;
}

#endif
