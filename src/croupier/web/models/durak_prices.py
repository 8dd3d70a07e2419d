"""The prices of a finished durak game for its player's own statistics, found in the background."""

from croupier.durak.play.coach import judged_game
from croupier.durak.play.table import DurakTable
from croupier.web.jobs import Job, Jobs, Lane, Report
from croupier.web.played import PlayedHands


def price_in_background(jobs: Jobs, played: PlayedHands, visitor: str, table: DurakTable) -> Job[None]:
    """Price the moves of the game that has ended at a table, and record it with them.

    A visitor has one such job: the next game ends the one before, which stays without prices until it is reviewed.

    Parameters
    ----------
    jobs, played
        Where it is done, and where the game is recorded.
    visitor
        Whose table it is.
    table
        The table; it may go on to the next game meanwhile.
    """
    ended = table.copy()

    def work(report: Report) -> None:
        hand = ended.priced(judged_game(ended.game, report=report))
        if hand is not None:
            played.record(visitor, hand)

    return jobs.start(visitor, "durak-prices", work, kind="durak_review", lane=Lane.LONG)
