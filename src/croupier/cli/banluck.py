"""``croupier banluck``: play a hand, or watch some."""

from typing import Annotated

import typer
from rich.console import Console

from croupier.banluck.engine import BANLUCK, Table, narrate
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.cards import Shoe, parse_cards
from croupier.cli.banluck_session import Role, Session
from croupier.cli.options import (
    CardsOption,
    PresetOption,
    RulesOption,
    SeedOption,
    SetOption,
    help_without_command,
)
from croupier.lab.streams import RandomStream, fresh_seed

app = typer.Typer(epilog="Example: croupier banluck play --as dealer --players 3")


PlayersOption = Annotated[int, typer.Option("--players", min=1, max=7, help="How many players are seated.")]


@app.callback(invoke_without_command=True)
def banluck(context: typer.Context) -> None:
    """Banluck (Chinese blackjack): one dealer, one to seven players."""
    help_without_command(context)


@app.command(epilog="Example: croupier banluck play --as dealer --players 3 --set reveal=mandatory")
def play(
    role: Annotated[Role, typer.Option("--as", help="Sit down as a player or hold the bank.")] = Role.PLAYER,
    players: PlayersOption = 1,
    bankroll: Annotated[float, typer.Option("--bankroll", min=1, max=1e9, help="What you start with.")] = 100,
    bet: Annotated[float, typer.Option("--bet", min=0.01, help="The usual bet.")] = 5,
    cards: CardsOption = "",
    seed: SeedOption = None,
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
) -> None:
    """Play in the terminal, as a player against the classic dealer or as the dealer against players who stand on 16."""
    chosen = BANLUCK.load(preset, rules, set_ or ())
    session = Session(
        console=Console(),
        rules=chosen,
        role=role,
        players=players,
        bankroll=bankroll,
        usual_bet=bet,
        seed=fresh_seed() if seed is None else seed,
        first_cards=parse_cards(cards),
    )
    session.run()


@app.command(epilog="Example: croupier banluck watch --hands 3 --players 2 --seed 8")
def watch(
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands.")] = 1,
    players: PlayersOption = 1,
    cards: CardsOption = "",
    seed: SeedOption = None,
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
) -> None:
    """Watch hands with all cards open: players who stand on the minimum against the classic dealer."""
    chosen = BANLUCK.load(preset, rules, set_ or ())
    seed = fresh_seed() if seed is None else seed
    player, dealer = stand_on(chosen.player_minimum, chosen), classic_dealer(chosen)
    first_cards = parse_cards(cards)
    for hand in range(1, hands + 1):
        stream = RandomStream((seed, hand, 1))
        shoe = Shoe.stacked(first_cards if hand == 1 else (), (seed, hand))
        table = Table.opened(chosen, shoe, players)
        while not table.state.is_over:
            table = table.act(choose_action(table.state, player, dealer, stream))
        typer.echo(f"Hand {hand} (seed {seed})")
        for sentence in narrate(table.state):
            typer.echo(f"  {sentence}")
