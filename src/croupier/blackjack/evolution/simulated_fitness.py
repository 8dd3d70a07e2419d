"""Fitness by simulation: columns race against each other with the same cards.

A sample of 100,000 rounds has a standard error of a third of a per cent, more than most cells of a chart are worth; whoever picks the
best score of such samples picks luck. Three things help. All columns of an up-card play the *same* cards, so that they differ only
where they decide differently. A race ends early for columns that are clearly behind, and the time goes to those that are not.
And every season has new and more cards, so that nobody can learn them; at the end the finalists play hands that
no selection has seen.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from croupier.blackjack.engine.moves import ALL_ALLOWED
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import pack_of
from croupier.blackjack.evolution.breeding import Population
from croupier.blackjack.evolution.genome import GenePool, Genes
from croupier.blackjack.simulation import round_terms
from croupier.blackjack.simulation import shoe_kernel as shoes_kernel
from croupier.blackjack.simulation.sample_kernel import (
    ABOVE,
    SQUARED,
    SUM_COUNT,
    TOTAL,
    deal_sample,
    play_sample,
)
from croupier.blackjack.simulation.table_setup import PACK, Seating, setup_of
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_moves import move_table
from croupier.blackjack.solvers.exact import up_card_chances
from croupier.blackjack.solvers.hands import Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.errors import InputError
from croupier.numerics.devices import Device, why_no_gpu
from croupier.numerics.random_kernels import Stream

if TYPE_CHECKING:
    from croupier.blackjack.evolution.gpu_race import GpuRace

#: Generations that play the same cards, and what the first of them see of a race's full length.
_SEASON = 8
_FIRST_ROUNDS = 20_000

#: Rounds that are dealt and played together, and how many of their cards are there; no round needs more.
_BLOCK = 4096
_DEPTH = 128

#: A column drops out of a race when it is this many standard errors behind.
_BEHIND = 3.0

#: The best columns of each up-card that play for the title, and how many times the last race's length.
_FINALISTS = 6
_FINAL_LENGTH = 2

#: Refining: how often all genes are tried at most, and after how many rounds a column that has played like the first one is taken to play alike.
_MOST_TRIALS = 10
_IDLE_ROUNDS = 2**22


class SimulatedFitness:
    """What columns won in their races.

    Parameters
    ----------
    rounds
        The length of a race in the last season; the first seasons are shorter.
    seed
        The cards; other streams than those of the breeding.
    generations
        How many generations there will be: by then the races have their full length.
    workers
        How many threads play, one for each processor by default; the scores do not depend on it.
    device
        ``"cuda"``: a GPU plays, or the processor where there is none. The scores are the same.

    Examples
    --------
    >>> from croupier.blackjack.evolution.breeding import Breeding, first_population
    >>> rules = BlackjackRules(decks="infinite")
    >>> columns = list(first_population(rules, Breeding(population=4), seed=1).columns[0])
    >>> races = [SimulatedFitness(rules, 20_000, seed=1, generations=10).values(0, columns, 1) for _ in range(2)]
    >>> races[0] == races[1]
    True
    """

    def __init__(
        self, rules: BlackjackRules, rounds: int, seed: int, generations: int, workers: int | None = None,
        device: Device = "cpu",
    ) -> None:  # fmt: skip
        verify_rounds("rounds", rounds, 10**9)
        self._track = _Track(rules, workers or os.cpu_count() or 1, device)
        self._pool = GenePool(rules)
        self._rounds, self._seed, self._generations = rounds, seed, generations
        self._champions: dict[tuple[int, int], tuple[Genes, float]] = {}

    def values(self, up_card: int, columns: Sequence[Genes], generation: int) -> list[float]:
        """Let columns race against the best of the season so far, and return what they won, in bets per round."""
        if not len(columns):
            return []
        season, length = _season(generation), self._length(generation)
        seed = (self._seed, season, up_card)
        if (up_card, season) not in self._champions:
            self._champions[up_card, season] = (
                columns[0],
                self._track.value(up_card, columns[0], length, seed),
            )
        champion, worth = self._champions[up_card, season]
        scores = worth + self._track.distances(up_card, [champion, *columns], length, seed)[1:]
        leader = int(np.argmax(scores))
        if scores[leader] > worth:
            self._champions[up_card, season] = columns[leader], float(scores[leader])
        return [float(score) for score in scores]

    def is_lasting(self, generation: int) -> bool:
        """Tell whether a generation plays the cards of the one before."""
        return generation > 1 and _season(generation) == _season(generation - 1)

    def winner(self, population: Population) -> Genes:
        """Return the chart of the finalists that do best with cards that nobody has played."""
        after_all = _season(self._generations) + 1
        best = []
        for up_card, ranked in enumerate(population.columns):
            finalists = list({genes.tobytes(): genes for genes in ranked}.values())[:_FINALISTS]
            seed = (self._seed, after_all, up_card)
            distances = self._track.distances(up_card, finalists, _FINAL_LENGTH * self._rounds, seed)
            best.append(finalists[int(np.argmax(distances))])
        return np.array(best)

    def refined(self, genome: Genes, rounds: int) -> Genes:
        """Race a chart against all charts that differ from it in one gene, take over what wins, and repeat until nothing does.

        Most of them drop out early; the closest play ``rounds`` rounds, again with cards that nobody has played.
        """
        cards = _season(self._generations) + 2
        return np.array(
            [self._refined(up_card, genes, rounds, cards) for up_card, genes in enumerate(genome)]
        )

    def _refined(self, up_card: int, genes: Genes, rounds: int, cards: int) -> Genes:
        seed = (self._seed, cards, up_card)
        for _ in range(_MOST_TRIALS):
            changes = [
                (row, allele)
                for row, legal in enumerate(self._pool.alleles[up_card])
                for allele in legal
                if allele != genes[row]
            ]
            columns = [genes, *(_changed(genes, change) for change in changes)]
            distances = self._track.distances(up_card, columns, rounds, seed, _IDLE_ROUNDS)[1:]
            winners = [place for place in np.argsort(distances) if distances[place] > 0]
            if not winners:
                break
            for place in winners:  # the best change of a gene comes last
                genes = _changed(genes, changes[place])
        return genes

    def _length(self, generation: int) -> int:
        last = max(_season(self._generations), 1)
        growth = (self._rounds / _FIRST_ROUNDS) ** (_season(generation) / last)
        return min(int(_FIRST_ROUNDS * growth), self._rounds)


def verify_rounds(name: str, rounds: int, most: int) -> None:
    """Raise unless a race can have so many rounds.

    >>> verify_rounds("rounds", 7, 10**9)
    Traceback (most recent call last):
    croupier.errors.InputError: rounds 7: a race has from 20000 to 1000000000 rounds
    """
    if not _FIRST_ROUNDS <= rounds <= most:
        raise InputError(f"{name} {rounds}: a race has from {_FIRST_ROUNDS} to {most} rounds")


def _changed(genes: Genes, change: tuple[int, int]) -> Genes:
    """Return genes with another allele in one row."""
    changed: Genes = genes.copy()
    changed[change[0]] = change[1]
    return changed


def _season(generation: int) -> int:
    return (generation - 1) // _SEASON


@dataclass(slots=True, eq=False)
class _Standing:
    """How a race stands after some rounds."""

    sums: Integers
    rounds: int = 0

    def __iadd__(self, other: "_Standing") -> "_Standing":
        self.sums = self.sums + other.sums
        self.rounds += other.rounds
        return self

    def behind(self) -> Floats:
        """Return by how many standard errors each column is behind the first."""
        mean = self.sums[:, ABOVE] / self.rounds
        variance = self.sums[:, SQUARED] / self.rounds - mean**2
        error = np.sqrt(np.maximum(variance, 0.0) / self.rounds)
        return np.divide(-mean, error, out=np.zeros_like(mean), where=error > 0)


class _Track:
    """Deals the rounds of races and lets columns play them."""

    def __init__(self, rules: BlackjackRules, workers: int, device: Device) -> None:
        self._workers = workers
        self._setup = setup_of(Seating(rules, Chart.uniform(Code.STAND)))
        self._rules, self._pool = rules, GenePool(rules)
        self._chances = dict(up_card_chances(ShoeCounts.full(rules)))
        self._moves = move_table(rules)
        self._depth = _DEPTH if rules.decks == "infinite" else min(_DEPTH, rules.decks * len(pack_of(rules)))
        self._gpu = self._open_gpu() if device == "cuda" and why_no_gpu() is None else None

    def _open_gpu(self) -> "GpuRace":
        from croupier.blackjack.evolution.gpu_race import GpuRace  # noqa: PLC0415 - needs a GPU

        return GpuRace(_BLOCK, self._depth, is_infinite=self._rules.decks == "infinite")

    def value(self, up_card: int, column: Genes, length: int, seed: tuple[int, ...]) -> float:
        """Return what a column alone wins over the whole length of a race, in bets per round; the up-card's chance is in it."""
        plans = self._plans(up_card, [column])
        standing = _Standing(np.zeros((1, SUM_COUNT), dtype=np.int64))
        for blocks in _stages(length):
            standing += self._run(up_card, plans, np.zeros(1, dtype=np.int64), blocks, seed)
        return float(self._unit(up_card) * standing.sums[0, TOTAL] / standing.rounds)

    def distances(
        self,
        up_card: int,
        columns: Sequence[Genes],
        length: int,
        seed: tuple[int, ...],
        idle_rounds: int | None = None,
    ) -> Floats:
        """Return by how much each column wins more than the first; whoever drops out keeps the distance that it had then.

        With ``idle_rounds``, columns drop out too that never differed from the first in so many rounds.
        """
        plans = self._plans(up_card, columns)
        total = _Standing(np.zeros((len(columns), SUM_COUNT), dtype=np.int64))
        distance = np.zeros(len(columns))
        running = np.arange(len(columns))
        for blocks in _stages(length):
            total += self._run(up_card, plans, running, blocks, seed)
            distance[running] = total.sums[running, ABOVE] / total.rounds
            is_close = total.behind() < _BEHIND
            if idle_rounds is not None and total.rounds >= idle_rounds:
                is_close &= total.sums[:, SQUARED] > 0
            running = running[is_close[running] | (running == 0)]
            if len(running) == 1:
                break
        return self._unit(up_card) * distance

    def _unit(self, up_card: int) -> float:
        return self._chances[up_card] / self._setup.terms.scale

    def _run(
        self,
        up_card: int,
        plans: round_terms.Plans,
        running: Integers,
        blocks: range,
        seed: tuple[int, ...],
    ) -> "_Standing":
        """Let columns play some blocks, in parallel; the order of adding whole numbers does not matter."""
        if self._gpu is not None:
            setup = self._setup._replace(plans=plans)
            sums, is_exhausted = self._gpu.run(
                blocks, lambda block: self._given(up_card, (*seed, block)), seed, running, setup
            )
            self._verify_depth(is_exhausted)
            return _Standing(sums, _BLOCK * len(blocks))
        with ThreadPoolExecutor(self._workers) as threads:
            played = threads.map(lambda block: self._play(up_card, plans, running, (*seed, block)), blocks)
            return _Standing(
                sum(played, np.zeros((len(plans), SUM_COUNT), dtype=np.int64)), _BLOCK * len(blocks)
            )

    def _plans(self, up_card: int, columns: Sequence[Genes]) -> round_terms.Plans:
        plans = np.zeros((len(columns), ALL_ALLOWED, len(ROWS), len(UP_CARDS)), dtype=np.uint8)
        for place, genes in enumerate(columns):
            plans[place, :, :, up_card] = self._moves[self._pool.column(genes)].T
        return plans

    def _play(
        self, up_card: int, plans: round_terms.Plans, running: Integers, seed: tuple[int, ...]
    ) -> Integers:
        """Deal a block of rounds and let the columns that are still running play it."""
        packs, size, up, stream = self._given(up_card, seed)
        sample = np.empty((_BLOCK, self._depth), dtype=np.uint8)
        deal_sample(packs, size, self._rules.decks == "infinite", up, stream, sample)
        sums = np.zeros((len(plans), SUM_COUNT), dtype=np.int64)
        shoe = np.zeros(shoes_kernel.SHOE_FIELDS, dtype=np.int64)
        shoe[shoes_kernel.SIZE] = self._depth
        play_sample(
            sample, running, np.zeros(_BLOCK, dtype=np.int64), sums, shoe, stream,
            *round_terms.empty_records(1), np.zeros((round_terms.OUTCOME_COUNT, 2), dtype=np.int64),
            self._setup._replace(plans=plans),
        )  # fmt: skip
        self._verify_depth(bool(shoe[shoes_kernel.IS_EXHAUSTED]))
        return sums

    def _verify_depth(self, is_exhausted: bool) -> None:
        if is_exhausted:
            raise InputError(f"a round took more than {self._depth} cards; these rules cannot be raced")

    def _given(self, up_card: int, seed: tuple[int, ...]) -> tuple[shoes_kernel.Bytes, int, int, Stream]:
        """Return what a block is dealt from: packs without the up-card, their size, the up-card, and the random stream."""
        words = np.random.SeedSequence(seed[0], spawn_key=seed[1:]).generate_state(4, np.uint64)
        stream = words.astype(np.uint64)
        return *self._packs(up_card, int(stream[0] % 4)), stream

    def _packs(self, up_card: int, which: int) -> tuple[shoes_kernel.Bytes, int, int]:
        """Put the packs together without an up-card; which of the four suits, or of the ten-value cards, it is, is drawn."""
        pack = PACK[pack_of(self._rules)]
        of_class = np.flatnonzero(pack & shoes_kernel.POINT_MASK == up_card)
        up = int(pack[of_class[which * len(of_class) // 4]])
        if self._rules.decks == "infinite":
            return np.concatenate([np.zeros(_DEPTH + 4, dtype=np.uint8), pack]), _DEPTH + 4, up
        packs = np.delete(np.tile(pack, self._rules.decks), of_class[which * len(of_class) // 4])
        return np.concatenate([packs, np.zeros(4, dtype=np.uint8)]), len(packs), up


def _blocks(length: int) -> range:
    return range(-(-length // _BLOCK))


def _stages(length: int) -> Iterator[range]:
    """Cut a race into stages, each as long as all before it."""
    blocks = _blocks(length)
    done, stage = 0, 1
    while done < len(blocks):
        yield blocks[done : done + stage]
        done += stage
        stage = done
