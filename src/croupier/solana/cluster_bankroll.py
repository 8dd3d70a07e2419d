"""The bankroll of a house on a cluster."""

from solders.pubkey import Pubkey

from croupier.solana.bankroll import Bankroll, bankroll_address
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.layout import LayoutError
from croupier.solana.stake import Stake


async def bankroll_of(cluster: Cluster, house: Pubkey) -> tuple[Bankroll | None, int]:
    """Return the bankroll of a house, if it has one, and the lamports in it.

    Raises
    ------
    ClusterError
        If the account at its address is something else.
    """
    address = bankroll_address(cluster.program, house)
    account = await cluster.account(address)
    if account is None or account.owner != cluster.program:
        return None, 0
    try:
        return Bankroll.decode(bytes(account.data)), account.lamports
    except LayoutError as error:
        raise ClusterError(f"account {address}: {error}") from None


async def covered_bet(cluster: Cluster, house: Pubkey, bet: int) -> Stake:
    """Return a bet with the cover that the house's bankroll gives now.

    Raises
    ------
    ClusterError
        If the house does not take this bet.
    """
    bankroll, held = await bankroll_of(cluster, house)
    if bankroll is None:
        raise ClusterError(f"house {house}: it takes no bets; it has no bankroll on '{cluster.url}'")
    most, least = bankroll.most_covered(held), bankroll.limits.least_bet
    if most == 0:
        raise ClusterError(f"house {house}: it takes no bets now; its bankroll is too low")
    if not least <= bet <= most:
        raise ClusterError(
            f"bet of {bet:,} lamports: house {house} takes bets from {least:,} to {most:,} lamports now"
        )
    return Stake(bankroll_address(cluster.program, house), bet, bet + bankroll.limits.bond)
