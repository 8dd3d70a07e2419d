/* What the Program Metadata program does when the holder of a program publishes data: allocate, write, initialize, close.
 *
 * The real program is on the public networks and not in any package that can be installed, so tests put this one at its
 * address. It follows the same accounts and the same bytes. Metadata of third parties and other instructions are refused.
 */
#include "runtime.h"

#define MOST 5
#define SEED_SIZE 16
#define HEAD_SIZE 96

enum { WRITE = 0, INITIALIZE = 1, CLOSE = 6, ALLOCATE = 7 };
enum { EMPTY = 0, BUFFER = 1, METADATA = 2 };
enum { SYSTEM_ASSIGN = 1, SYSTEM_ALLOCATE = 8 };
enum { WRONG_DATA = 1, WRONG_ACCOUNTS, NOT_SIGNED, WRONG_AUTHORITY, WRONG_ADDRESS, WRONG_STATE, NOT_MUTABLE };

#define REQUIRE(condition, error) \
    do {                          \
        if (!(condition)) return (error); \
    } while (0)

extern u64 sol_try_find_program_address(const struct slice *seeds, u64 count, const struct key *program,
                                        struct key *address, u8 *bump);
extern void sol_memcpy_(void *target, const void *source, u64 size);

/* The head of a buffer and of metadata; every field is a byte or an array of bytes, so nothing is padded. */
struct head {
    u8 kind;
    u8 program[32];
    u8 authority[32];
    u8 is_mutable;
    u8 is_canonical;
    u8 seed[SEED_SIZE];
    u8 encoding, compression, format, source;
    u8 data_size[4];
    u8 unused[5];
};

_Static_assert(sizeof(struct head) == HEAD_SIZE, "data begins after 96 bytes");

struct call {
    u64 account_count;
    struct account *account[MOST];
    const u8 *data;
    u64 data_size;
    const struct key *program_id;
};

/* Other than blackjack's, the data may have any size and an account may be named twice. */
static u64 parse(u8 *cursor, struct call *call)
{
    call->account_count = *(const u64 *)cursor;
    REQUIRE(call->account_count <= MOST, WRONG_ACCOUNTS);
    cursor += sizeof(u64);
    for (u64 index = 0; index < call->account_count; index++) {
        struct account *account = (struct account *)cursor;
        if (account->first_seen != NO_DUPLICATE) {
            REQUIRE(account->first_seen < index, WRONG_ACCOUNTS);
            call->account[index] = call->account[account->first_seen];
            cursor += sizeof(u64);
            continue;
        }
        call->account[index] = account;
        cursor += sizeof(struct account) + ((account->data_size + ROOM_TO_GROW + 7) & ~7ULL) + sizeof(u64);
    }
    call->data_size = *(const u64 *)cursor;
    call->data = cursor + sizeof(u64);
    call->program_id = (const struct key *)(call->data + call->data_size);
    return call->data_size == 0 ? WRONG_DATA : 0;
}

static int is_same(const void *one, const void *other, u64 size)
{
    for (u64 place = 0; place < size; place++)
        if (((const u8 *)one)[place] != ((const u8 *)other)[place]) return 0;
    return 1;
}

/* The loader's account of a program names the account with its bytes, which names who may change them. */
static int may_change(const struct account *program, const struct account *bytes, const struct account *authority)
{
    return program->is_executable && program->data_size >= 36 && program->data[0] == 2 &&
           is_same(program->data + 4, &bytes->key, 32) && bytes->data_size >= 45 && bytes->data[0] == 3 &&
           bytes->data[12] == 1 && is_same(bytes->data + 13, &authority->key, 32);
}

static u64 call_system(struct call *call, const void *data, u64 size, const struct signer_seeds *signer)
{
    struct account *target = call->account[0];
    struct account_meta meta = {&target->key, 1, 1};
    struct account_info info = {&target->key,   &target->lamports, target->data_size,    target->data,
                                &target->owner, ~0ULL,             target->is_signer, target->is_writable,
                                target->is_executable};
    struct instruction instruction = {&call->account[4]->key, &meta, 1, data, size};
    return sol_invoke_signed_c(&instruction, &info, 1, signer, 1);
}

static u64 allocate(struct call *call)
{
    REQUIRE(call->account_count == 5, WRONG_ACCOUNTS);
    REQUIRE(call->data_size == 1 + SEED_SIZE, WRONG_DATA);
    struct account *target = call->account[0], *authority = call->account[1], *program = call->account[2];
    REQUIRE(authority->is_signer, NOT_SIGNED);
    REQUIRE(may_change(program, call->account[3], authority), WRONG_AUTHORITY);
    u8 bump;
    struct key address;
    struct slice seeds[3] = {{&program->key, 32}, {call->data + 1, SEED_SIZE}, {&bump, 1}};
    REQUIRE(sol_try_find_program_address(seeds, 2, call->program_id, &address, &bump) == 0, WRONG_ADDRESS);
    REQUIRE(is_same_key(&address, &target->key), WRONG_ADDRESS);
    REQUIRE(target->data_size == 0 && is_zero_key(&target->owner), WRONG_STATE);
    struct signer_seeds signer = {seeds, 3};
    struct {
        u32 unused, tag;
        u64 size;
    } space = {0, SYSTEM_ALLOCATE, HEAD_SIZE};
    struct {
        u32 unused, tag;
        struct key owner;
    } assign = {0, SYSTEM_ASSIGN, *call->program_id};
    u64 error = call_system(call, &space.tag, sizeof space - sizeof(u32), &signer);
    if (error == 0) error = call_system(call, &assign.tag, sizeof assign - sizeof(u32), &signer);
    if (error) return error;
    struct head *head = (struct head *)target->data;
    head->kind = BUFFER;
    head->is_canonical = 1;
    sol_memcpy_(head->program, &program->key, 32);
    sol_memcpy_(head->authority, &authority->key, 32);
    sol_memcpy_(head->seed, call->data + 1, SEED_SIZE);
    return 0;
}

static u64 write(struct call *call)
{
    REQUIRE(call->account_count == 3 && is_same_key(&call->account[2]->key, call->program_id), WRONG_ACCOUNTS);
    REQUIRE(call->data_size > 5, WRONG_DATA);
    struct account *target = call->account[0], *authority = call->account[1];
    struct head *head = (struct head *)target->data;
    REQUIRE(authority->is_signer, NOT_SIGNED);
    REQUIRE(target->data_size >= HEAD_SIZE && head->kind == BUFFER, WRONG_STATE);
    REQUIRE(is_same(head->authority, &authority->key, 32), WRONG_AUTHORITY);
    u64 offset = HEAD_SIZE + (*(const u32 *)(call->data + 1)), size = call->data_size - 5;
    if (offset + size > target->data_size) target->data_size = offset + size;
    sol_memcpy_(target->data + offset, call->data + 5, size);
    return 0;
}

static u64 initialize(struct call *call)
{
    REQUIRE(call->account_count == 5, WRONG_ACCOUNTS);
    REQUIRE(call->data_size == 1 + SEED_SIZE + 4, WRONG_DATA);
    struct account *target = call->account[0], *authority = call->account[1], *program = call->account[2];
    struct head *head = (struct head *)target->data;
    REQUIRE(authority->is_signer, NOT_SIGNED);
    REQUIRE(may_change(program, call->account[3], authority), WRONG_AUTHORITY);
    REQUIRE(target->data_size > HEAD_SIZE && head->kind == BUFFER, WRONG_STATE);
    REQUIRE(is_same(head->authority, &authority->key, 32), WRONG_AUTHORITY);
    REQUIRE(is_same(head->seed, call->data + 1, SEED_SIZE) && is_same(head->program, &program->key, 32), WRONG_ADDRESS);
    u32 size = (u32)(target->data_size - HEAD_SIZE);
    head->kind = METADATA;
    head->is_mutable = 1;
    sol_memset_(head->authority, 0, 32);
    sol_memcpy_(&head->encoding, call->data + 1 + SEED_SIZE, 4);
    sol_memcpy_(head->data_size, &size, 4);
    return 0;
}

static u64 close(struct call *call)
{
    REQUIRE(call->account_count == 5, WRONG_ACCOUNTS);
    struct account *target = call->account[0], *authority = call->account[1], *receiver = call->account[4];
    struct head *head = (struct head *)target->data;
    REQUIRE(authority->is_signer, NOT_SIGNED);
    REQUIRE(target->data_size >= HEAD_SIZE && head->kind != EMPTY, WRONG_STATE);
    REQUIRE(head->kind == BUFFER || head->is_mutable, NOT_MUTABLE);
    REQUIRE(is_same(head->authority, &authority->key, 32) ||
                (is_same(head->program, &call->account[2]->key, 32) &&
                 may_change(call->account[2], call->account[3], authority)),
            WRONG_AUTHORITY);
    receiver->lamports += target->lamports;
    target->lamports = 0;
    target->data_size = 0;
    target->owner = (struct key){{0, 0, 0, 0}};
    return 0;
}

u64 entrypoint(u8 *input)
{
    struct call call;
    u64 error = parse(input, &call);
    if (error) return error;
    switch (call.data[0]) {
    case WRITE: return write(&call);
    case INITIALIZE: return initialize(&call);
    case CLOSE: return close(&call);
    case ALLOCATE: return allocate(&call);
    default: return WRONG_DATA;
    }
}
