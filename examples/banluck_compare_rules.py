"""What do rules change? Presets side by side, one option at a time, and what a rule of thumb gives away."""

from croupier import banluck

rules = banluck.rules("singapore", pays_five_card=3)
print(banluck.compare(*banluck.presets, rules))
print(banluck.sensitivity(options=["reveal", "surrender", "pays_ban_luck"]))

for player in ("equilibrium", "chart", "stand-on-16", "stand-on-17"):
    price = banluck.price(player=player)
    print(
        f"{player:<12} {price.value:+.6f} units a hand; {price.at_least:+.6f} against the best answer to it"
    )
