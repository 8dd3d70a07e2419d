"""Solve Banluck without the surrender: the value, the charts, and why 16 stands."""

from croupier import banluck

solution = banluck.solve(banluck.Rules(surrender="none"))
print(solution)
print(solution.chart)
print(solution.dealer_chart)
print(solution.explain("T-6"))

decision = solution.book["T-6"]
print(f"hit {decision.hit:+.4f}, stand {decision.stand:+.4f}")

# The same number a second time, from real cards.
dealt = banluck.simulate(solution, hands=1_000_000, seed=1)
print(f"exact {solution.value:+.5f}, dealt {dealt.value:+.5f} ± {dealt.stderr:.5f}")

solution.plot().savefig("banluck.png")
