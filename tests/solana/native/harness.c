/* Runs the on-chain program as an ordinary process, so that sanitizers can watch it.
 *
 * Standard input holds commands, standard output the replies:
 *   'E' slot u64, is_on_curve u64, size u64, input   ->  return value u64, log size u64, log, input afterwards
 *   'D' counts 52, cards_left u16, seed 32, number u64  ->  that many cards, each drawn from the given counts
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blackjack.c"

static u64 now, is_on_curve, log_size;
static u8 log_bytes[1024];

/* SHA-256 as in FIPS 180-4. */
static u32 rotated(u32 word, int count) { return word >> count | word << (32 - count); }

static void compress(u32 *state, const u8 *block)
{
    static const u32 constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    u32 words[64], v[8];
    for (int i = 0; i < 16; i++)
        words[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        u32 early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + words[i - 7] +
                   (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        u32 first = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                    ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + words[i];
        u32 second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

u64 sol_sha256(const struct slice *parts, u64 count, struct key *hash)
{
    u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    u8 message[320] = {0};
    u64 size = 0;
    for (u64 i = 0; i < count; i++) {
        memcpy(message + size, parts[i].bytes, parts[i].size);
        size += parts[i].size;
    }
    u64 padded = (size + 9 + 63) / 64 * 64;
    message[size] = 0x80;
    for (int i = 0; i < 8; i++) message[padded - 1 - i] = (u8)(size * 8 >> 8 * i);
    for (u64 i = 0; i < padded; i += 64) compress(state, message + i);
    u8 digest[32];
    for (int i = 0; i < 32; i++) digest[i] = (u8)(state[i / 4] >> (24 - 8 * (i % 4)));
    memcpy(hash, digest, sizeof digest);
    return 0;
}

u64 sol_get_clock_sysvar(struct clock *clock)
{
    *clock = (struct clock){now, 0, 0, 0, 0};
    return 0;
}

u64 sol_curve_validate_point(u64 curve, const struct key *point, u8 *unused)
{
    (void)curve, (void)point, (void)unused;
    return is_on_curve ? 0 : 1;
}

void sol_log_data(const struct slice *parts, u64 count)
{
    for (u64 i = 0; i < count; i++) {
        memcpy(log_bytes + log_size, parts[i].bytes, parts[i].size);
        log_size += parts[i].size;
    }
}

void sol_memset_(void *bytes, u8 value, u64 size) { memset(bytes, value, size); }

/* The part of the system program that Create calls. The runtime's own checks are not repeated here. */
u64 sol_invoke_signed_c(const struct instruction *call, const struct account_info *accounts, u64 account_count,
                        const struct signer_seeds *signers, u64 signer_count)
{
    (void)signers, (void)signer_count;
    struct account *created = (struct account *)((u8 *)accounts[account_count - 1].key - 8);
    u32 tag;
    memcpy(&tag, call->data, sizeof tag);
    const u8 *body = (const u8 *)call->data + sizeof tag;
    if (tag == SYSTEM_CREATE) {
        u64 lamports;
        memcpy(&lamports, body, sizeof lamports);
        memcpy(&created->data_size, body + 8, sizeof(u64));
        memcpy(&created->owner, body + 16, sizeof(struct key));
        *accounts[0].lamports -= lamports;
        created->lamports += lamports;
    } else if (tag == SYSTEM_ASSIGN) {
        memcpy(&created->owner, body, sizeof(struct key));
    } else {
        abort();
    }
    return 0;
}

static void take(void *bytes, u64 size)
{
    if (fread(bytes, 1, size, stdin) != size) exit(2);
}

static void execute(void)
{
    u64 size;
    take(&now, sizeof now);
    take(&is_on_curve, sizeof is_on_curve);
    take(&size, sizeof size);
    u8 *buffer = malloc(size);
    take(buffer, size);
    log_size = 0;
    u64 result = entrypoint(buffer);
    fwrite(&result, sizeof result, 1, stdout);
    fwrite(&log_size, sizeof log_size, 1, stdout);
    fwrite(log_bytes, 1, log_size, stdout);
    fwrite(buffer, 1, size, stdout);
    free(buffer);
}

static void draw_cards(void)
{
    struct game game;
    struct stream stream = {.used = 0};
    u64 number;
    take(game.counts, sizeof game.counts);
    take(&game.cards_left, sizeof game.cards_left);
    take(&stream.block, sizeof stream.block);
    take(&number, sizeof number);
    while (number-- > 0) {
        struct game copy = game;
        putchar(draw_card(copy.counts, &copy.cards_left, &stream));
    }
}

int main(void)
{
    for (int order; (order = getchar()) != EOF; fflush(stdout)) {
        if (order == 'E') execute();
        else if (order == 'D') draw_cards();
        else return 3;
    }
    return 0;
}
