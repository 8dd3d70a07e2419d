"""The runtime's system calls: their names and their numbers in SBPF.

From version 3 on, a program calls a system call by the hash of its name, and the loader does not check that it exists:
a misspelt name would fail only when the call runs. The linker therefore checks names against this list.
"""

#: The names that the runtime accepts at deployment, without those behind a feature gate.
SYSCALLS = frozenset((
    "abort", "sol_panic_",
    "sol_log_", "sol_log_64_", "sol_log_pubkey", "sol_log_compute_units_", "sol_log_data",
    "sol_create_program_address", "sol_try_find_program_address",
    "sol_sha256", "sol_keccak256", "sol_secp256k1_recover", "sol_poseidon",
    "sol_curve_validate_point", "sol_curve_group_op", "sol_curve_multiscalar_mul",
    "sol_alt_bn128_group_op", "sol_alt_bn128_compression",
    "sol_get_clock_sysvar", "sol_get_epoch_schedule_sysvar", "sol_get_rent_sysvar", "sol_get_last_restart_slot",
    "sol_get_epoch_rewards_sysvar", "sol_get_sysvar", "sol_get_epoch_stake",
    "sol_memcpy_", "sol_memmove_", "sol_memset_", "sol_memcmp_",
    "sol_invoke_signed_c", "sol_invoke_signed_rust",
    "sol_set_return_data", "sol_get_return_data", "sol_get_processed_sibling_instruction", "sol_get_stack_height",
))  # fmt: skip

_MASK = 0xFFFFFFFF


def murmur3(data: bytes) -> int:
    """Return the 32-bit MurmurHash3 (x86 variant, seed 0), SBPF's number for a symbol.

    Examples
    --------
    >>> hex(murmur3(b"abort")), hex(murmur3(b"sol_log_")), hex(murmur3(b""))
    ('0xb6fc1a11', '0x207559bd', '0x0')
    """
    whole = len(data) // 4 * 4
    state = 0
    for place in range(0, whole, 4):
        state ^= _mixed(int.from_bytes(data[place : place + 4], "little"))
        state = (_rotated(state, 13) * 5 + 0xE6546B64) & _MASK
    state ^= _mixed(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16


def _mixed(block: int) -> int:
    return _rotated(block * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def _rotated(word: int, count: int) -> int:
    return (word << count | word >> 32 - count) & _MASK
