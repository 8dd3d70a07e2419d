/* Exercises the linker: constants, calls between functions, frames, five arguments. */
typedef unsigned long long u64;
typedef unsigned char u8;

extern void sol_set_return_data(const void *bytes, u64 size);

static const u64 POWERS[4] = {1, 1000, 1000000, 1000000000};
static const char WORD[] = "croupier";

__attribute__((noinline)) static u64 mix(u64 a, u64 b, u64 c, u64 d, u64 e)
{
    return a * 3 + b * 5 + c / 7 + d % 11 + (e >> 3);
}

/* Each level fills most of a frame and then reads it again, so overlapping frames would show. */
__attribute__((noinline)) static u64 descend(u64 level, volatile u64 *above)
{
    volatile u64 frame[400];
    for (int place = 0; place < 400; place++) frame[place] = level * 1000 + place;
    u64 deeper = level == 0 ? 0 : descend(level - 1, frame);
    u64 sum = 0;
    for (int place = 0; place < 400; place++) sum += frame[place];
    return sum + deeper + above[0];
}

u64 entrypoint(const u8 *input)
{
    volatile u64 first[1] = {17};
    u64 results[4] = {0, 0, 0, 0};
    for (u64 place = 0; place < 4; place++) results[0] += POWERS[(place + *input) % 4] * place;
    for (u64 place = 0; place < sizeof WORD - 1; place++) results[1] = results[1] * 31 + (u8)WORD[place];
    results[2] = mix(results[0], results[1], ~0ULL, 12345678901234567ULL, 1ULL << 63);
    results[3] = descend(5, first);
    sol_set_return_data(results, sizeof results);
    return (u64)&POWERS[results[0] % 4] == 0;
}
