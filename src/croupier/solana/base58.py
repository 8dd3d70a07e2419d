"""Base58, in which Solana writes keys, signatures and short data: no 0, O, I or l, so that no two signs look alike."""

from croupier.errors import InputError

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS = {sign: digit for digit, sign in enumerate(ALPHABET)}


class Base58Error(InputError):
    """A text that is not base58."""


def encode_base58(data: bytes) -> str:
    r"""Write bytes as base58; a zero byte in front is a 1.

    >>> encode_base58(b"\x00\x00Hello")
    '119Ajdvzr'
    """
    number = int.from_bytes(data, "big")
    signs = []
    while number:
        number, digit = divmod(number, 58)
        signs.append(ALPHABET[digit])
    zeros = len(data) - len(data.lstrip(b"\0"))
    return "1" * zeros + "".join(reversed(signs))


def decode_base58(text: str) -> bytes:
    r"""Read base58.

    >>> decode_base58("119Ajdvzr")
    b'\x00\x00Hello'
    >>> decode_base58("0")
    Traceback (most recent call last):
    croupier.solana.base58.Base58Error: base58: there is no sign '0'
    """
    number = 0
    for sign in text:
        if sign not in _DIGITS:
            raise Base58Error(f"base58: there is no sign {sign!r}")
        number = number * 58 + _DIGITS[sign]
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
