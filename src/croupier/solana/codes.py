"""The numeric codes in the program's accounts, instructions, events and errors."""

from enum import IntEnum

LAYOUT_VERSION = 1
#: The version of a game with stakes, and of the event that tells of its creation.
STAKED_VERSION = 2
GAME_TYPE = 1
HOUSE_TYPE = 2
BANKROLL_TYPE = 3
#: What a player pays for a staked game beyond the bet, at least: the runtime's least balance of a wallet.
LEAST_RENT = 890_880
#: The most commitments that a house's account has places for.
MOST_COMMITMENTS = 255
HAND_SIZE = 23
MOST_DECKS = 8
#: The player may claim the game after this many slots without a reveal.
REVEAL_WINDOW = 150
#: The house may claim the game after this many slots without an action of the player.
PLAYER_WINDOW = 216_000


class Status(IntEnum):
    """The state of a game: who has to act, and how."""

    CREATED = 1
    DEAL_REQUESTED = 2
    PLAYER_TURN = 3
    HIT_REQUESTED = 4
    STAND_REQUESTED = 5
    FINISHED = 6

    @property
    def waits_for_house(self) -> bool:
        """Whether the house has to answer a request.

        >>> Status.HIT_REQUESTED.waits_for_house, Status.PLAYER_TURN.waits_for_house
        (True, False)
        """
        return self in (Status.DEAL_REQUESTED, Status.HIT_REQUESTED, Status.STAND_REQUESTED)


class Result(IntEnum):
    """How a game ended."""

    OPEN = 0
    PLAYER_WINS = 1
    DEALER_WINS = 2
    TIE = 3
    PLAYER_BUST = 4
    DEALER_BUST = 5
    HOUSE_FORFEIT = 6
    PLAYER_FORFEIT = 7

    @property
    def player_wins(self) -> bool:
        """Whether the player won.

        >>> Result.HOUSE_FORFEIT.player_wins, Result.TIE.player_wins
        (True, False)
        """
        return self in (Result.PLAYER_WINS, Result.DEALER_BUST, Result.HOUSE_FORFEIT)


class Tag(IntEnum):
    """The first byte of an instruction."""

    CREATE = 0
    DEAL = 1
    HIT = 2
    STAND = 3
    REVEAL = 4
    CLAIM = 5
    CLEANUP = 6
    OPEN_HOUSE = 7
    COMMIT = 8
    JOIN = 9
    CLOSE_HOUSE = 10
    OPEN_BANKROLL = 11
    SET_LIMITS = 12
    WITHDRAW = 13
    CLOSE_BANKROLL = 14
    JOIN_STAKED = 15
    SETTLE = 16


class EventType(IntEnum):
    """The first byte of an event."""

    CREATED = 1
    REVEALED = 2
    CLAIMED = 3
    SETTLED = 4


class GameError(IntEnum):
    """Why the program refuses an instruction.

    The numbers start at 6000, like those of every Anchor program. The runtime reports an error of the system program,
    which Create and Join call, as an error of ours; its numbers are small.

    Examples
    --------
    >>> GameError(6029).name, GameError.CLAIM_TOO_EARLY.meaning
    ('CLAIM_TOO_EARLY', 'the other side still has time')
    """

    meaning: str

    def __new__(cls, code: int, meaning: str) -> "GameError":  # noqa: D102 - gives each member its meaning
        error = int.__new__(cls, code)
        error._value_ = code
        error.meaning = meaning
        return error

    UNKNOWN_INSTRUCTION = 6000, "there is no instruction with this tag"
    WRONG_DATA_SIZE = 6001, "the instruction data is too short or too long"
    RESERVED_NOT_ZERO = 6002, "reserved bytes of the instruction data must be zero"
    WRONG_ACCOUNT_COUNT = 6003, "too few or too many accounts"
    DUPLICATE_ACCOUNT = 6004, "the same account is passed twice"
    READ_ONLY_ACCOUNT = 6005, "an account that must be writable is not"
    FOREIGN_OWNER = 6006, "the account belongs to another program"
    WRONG_ACCOUNT_SIZE = 6007, "the account has a wrong size"
    WRONG_ACCOUNT_TYPE = 6008, "the account is not of the right type, or of another version"
    WRONG_PLAYER = 6009, "this is not the player of the game"
    WRONG_HOUSE = 6010, "this is not the house of the account"
    PLAYER_MUST_SIGN = 6011, "the player has not signed"
    HOUSE_MUST_SIGN = 6012, "the house has not signed"
    WRONG_SYSTEM_PROGRAM = 6013, "the fourth account must be the system program"
    WRONG_DECKS = 6014, "a game has one to eight decks"
    GAME_EXISTS = 6015, "the player has a game with this number already"
    WRONG_ADDRESS = 6016, "the address does not follow from player and number"
    UNUSABLE_NUMBER = 6017, "this number has no address with bump 255; take another"
    UNDERFUNDED = 6018, "the address holds lamports already, but not enough; send the rest first"
    ALREADY_DEALT = 6019, "a game is dealt once"
    NOT_DEALT = 6020, "the cards are not dealt yet"
    ALREADY_STOOD = 6021, "the player has stood"
    REVEAL_PENDING = 6022, "the house has to answer the last request first"
    GAME_FINISHED = 6023, "the game is over"
    NOTHING_TO_REVEAL = 6024, "the player has not asked for anything"
    WRONG_SLOT_HASHES = 6025, "the third account must be the SlotHashes sysvar"
    SLOT_HASH_NOT_YET = 6026, "the slot of the request is not over yet"
    SLOT_HASH_GONE = 6027, "the hash of the request's slot is no longer kept"
    WRONG_PREIMAGE = 6028, "this is not the next pre-image of the chain"
    CLAIM_TOO_EARLY = 6029, "the other side still has time"
    NOT_FINISHED = 6030, "the game is not over"
    WRONG_RENT_RECEIVER = 6031, "the rent goes to the player of the game"
    NO_RENT = 6032, "a game needs lamports for its rent"
    WRONG_SLOT_HASH = 6033, "this is not the hash of the request's slot"
    HOUSE_EXISTS = 6034, "the account is in use already"
    WRONG_CAPACITY = 6035, "a house's account has places for 1 to 255 commitments"
    NO_ROOM = 6036, "the house's account has fewer free places than commitments are given"
    ZERO_COMMITMENT = 6037, "a commitment cannot be zero"
    COMMITMENT_GONE = 6038, "this commitment is not, or no longer, at this place"
    WRONG_LIMITS = 6039, "the least bet is 1 or more and not above the most, and the reserve is 1 or more"
    WRONG_BET = 6040, "the bet is outside the limits of the bankroll"
    WRONG_COVER = 6041, "the cover must be the bet and the bond of the bankroll"
    BANKROLL_LOW = 6042, "the bankroll does not have that much to spare"
    WRONG_BANKROLL = 6043, "this is not the bankroll of the house, or of the game"
    GAMES_OPEN = 6044, "games that the bankroll covers are not settled yet"
