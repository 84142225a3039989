"""Three little games as spec text, for tests of plays and of the command line."""

from pathlib import Path

from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game

JUGS = """
game: jugs
title: The 3 and 5 gallon jugs
players: {count: 1}
state:
  small: {type: int 0..3, start: 0}
  big: {type: int 0..5, start: 0}
actions:
  fill small: {do: small = 3}
  fill big: {do: big = 5}
  empty small: {do: small = 0}
  empty big: {do: big = 0}
  pour small into big: {do: "n = min(small, 5 - big)\\nsmall -= n\\nbig += n"}
  pour big into small: {do: "n = min(big, 3 - small)\\nbig -= n\\nsmall += n"}
"""

DUEL = """
game: duel
title: A little of everything
players: {min: 2, max: 3, default: 2, called: Duellist}
constants: {hand_limit: 4}
enums: {stance: [high, low]}
families:
  strike: {attributes: {force: "int 0..3"}}
cards:
  strike:
    jab: {name: Jab, copies: 3, force: 1}
    hook: {name: Hook, copies: 2, force: 2}
    feint: {name: Feint, copies: 2, force: 0}
zones:
  stock: {holds: strike, kind: deck, seen_by: none, starts: all}
  hand: {holds: strike, kind: bag, per: player, seen_by: owner}
  secret: {holds: strike, kind: bag, per: player, seen_by: owner}
  heap: {holds: strike, kind: pile, capacity: 7, seen_by: all}
state:
  active: {type: player, start: 1}
  hurt: {type: "int 0..9", per: player, start: 0}
  stands: {type: "stance?", start: none}
steps:
  game: {title: The duel}
  turn: {title: A turn}
windows:
  bout: {title: The bout, by: active, repeat: true, done: pass}
start: game
clauses:
  - id: d.deal
    kind: setup
    says: everybody gets two cards, and then it goes round
    on: game
    do: |
      for p in clockwise(active):
        draw(2, stock, hand[p])
      while True:
        turn()
        active = next_player(active)
  - id: d.draw
    kind: effect
    says: a turn begins with a card
    on: turn
    do: draw(1, stock, hand[active])
  - id: d.stance
    kind: effect
    says: one takes a stance
    on: turn
    after: [d.draw]
    do: |
      taken = choose(stance, by=active, ask="How do you stand?")
      stands = taken
  - {id: d.bout, kind: effect, says: then one may act, on: turn, do: bout(), after: [d.stance]}
  - id: d.strike
    kind: permit
    says: a card is struck at the next one
    on: bout
    option: strike
    with: {card: "c for c in hand[actor] if c.force > 0"}
    do: |
      move(card, hand[actor], heap)
      hurt[next_player(actor)] += card.force
  - {id: d.low, kind: forbid, says: nobody strikes from below, on: bout.strike, when: stands == low}
  - id: d.hide
    kind: effect
    says: cards may be hidden
    on: turn
    after: [d.bout]
    do: |
      kept = choose_cards(hand[active], by=active, at_least=0, at_most=2, ask="Which do you hide?")
      move_all(kept, hand[active], secret[active])
  - id: d.give_up
    kind: effect
    says: one may give up
    on: turn
    after: [d.hide]
    do: |
      if may(by=active, ask="Give up?"):
        win(others(active))
  - id: d.limit
    kind: limit
    says: no hand is larger than four
    always: all(size(hand[p]) <= hand_limit for p in players)
  - id: d.win
    kind: outcome
    says: whoever has been hurt thrice loses
    whenever: any(hurt[p] >= 3 for p in players)
    timing: at once
    do: "win({p for p in players if hurt[p] < 3})"
"""

TAX = """
game: tax
players: {count: 2}
state: {coins: {type: int 0..3, per: player, start: 2}, active: {type: player, start: 1}}
steps: {game: {}, turn: {}}
start: game
clauses:
- id: t.turns
  kind: order
  says: each has a turn
  on: game
  do: |
    for p in clockwise(active):
      active = p
      turn()
- id: t.pay
  kind: effect
  says: one may pay a coin
  on: turn
  do: |
    if may(by=active, ask="Do you pay?"):
      coins[active] -= 1
- id: t.win
  kind: outcome
  says: the richest has won
  on: game
  after: [t.turns]
  do: win(argmax(coins[p] for p in players))
open_points:
- id: price
  clauses: [t.pay]
  asks: is one coin or two paid
  readings:
  - {id: one, title: one, changes: {}}
  - id: two
    title: two
    changes: {t.pay: {do: "if may(by=active, ask='Do you pay?'):\\n  coins[active] -= 2"}}
"""


def write(folder: Path, text: str) -> Path:
    """Make the folder of a game."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(text, "utf-8")
    return folder


def compiled(folder: Path, text: str, *, players: int | None = None) -> Compiled:
    """Make a game and compile it."""
    path = write(folder, text)
    return compile_game(load_game(str(path), Settings(players=players)))


PASSES = """
game: passes
title: Passes
players: {count: 2}
families: {part: {attributes: {good: bool}}}
cards:
  part: {nail: {copies: NAILS, good: true}, rust: {copies: 40}}
zones:
  stack: {holds: part, kind: deck, starts: all, seen_by: none}
  hand: {holds: part, kind: bag, per: player, seen_by: owner}
  table: {holds: part, kind: bag, seen_by: all}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {time: {who: players, order: unstated, done: pass, clause: p.time}}
start: game
clauses:
- {id: p.time, kind: permit, says: a nail may be played, on: time, option: play,
   with: {card: "c for c in hand[actor] if c.good"}, do: "move(card, hand[actor], table)"}
- id: p.turns
  kind: order
  says: four times a card is drawn, and then there is time to play
  on: game
  do: |
    n = 0
    while n < 4:
      draw(1, stack, hand[active])
      time()
      active = next_player(active)
      n += 1
    end_game()
open_points:
- id: first
  clauses: [p.time]
  asks: who is first
  readings:
  - {id: nobody, title: nobody, changes: {}}
  - id: active
    title: whose turn it is
    changes: {"window:time": {order: clockwise, from: active}}
"""
"""Time to play a card, which hardly ever anybody has."""
