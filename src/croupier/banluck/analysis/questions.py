"""Answers to the standing questions of a rule set, for one player or a table of several."""

from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.research import research as research_one_player
from croupier.banluck.analysis.solution import StageProgress
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import REFERENCE, BanluckRules


def research(
    rules: BanluckRules = REFERENCE, *, players: int = 1, progress: StageProgress | None = None
) -> tuple[Finding, ...]:
    """Answer the standing questions: what the game is worth, whom to open, what a careless dealer gives away, and more.

    Parameters
    ----------
    rules
        The rules; those of the preset ``reference`` if there are none.
    players
        How many players are seated. A table of several is solved with every way to reveal, which takes some minutes the first time; the
        solutions are saved.
    progress
        Told what is being done, how much of it is done, and how much there is to do.

    Raises
    ------
    InputError
        If this number of players is not solved.

    Examples
    --------
    >>> from croupier import banluck
    >>> findings = {finding.key: finding for finding in banluck.research()}
    >>> print(findings["reveal"].question)
    What is the selective reveal worth?
    >>> round(findings["reveal"].figures["card_count_worth"], 4)
    0.002
    """
    if players == 1:

        def report(done: int, total: int) -> None:
            if progress is not None:
                progress("answering questions", done, total)

        return research_one_player(solve(rules), progress=report)
    from croupier.banluck.analysis.saved_tables import solved_table  # noqa: PLC0415 - heavy, for several players only
    from croupier.banluck.analysis.table_research import research_table  # noqa: PLC0415 - the same

    return research_table(solved_table(rules, players), progress=progress)
