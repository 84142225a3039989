"""A situation shows what decides a question, and nothing that nobody looks at."""

from pathlib import Path

from ruleproof.checker.findings.results import PUBLIC, Evidence, Finding, Outcome, Shown
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.run.interp import Interpreter
from ruleproof.reports.blocks.assumed import mostly_assumed
from ruleproof.reports.blocks.boards import Board
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject

SCORED = """
game: scored
title: Scored
players: {count: 2}
families: {gem: {attributes: {worth: int 0..9}}}
cards: {gem: {ruby: {name: Ruby, worth: 3, copies: 2}, pearl: {name: Pearl, worth: 1, copies: 3}}}
zones:
  box: {holds: gem, kind: bag, starts: all}
  mine: {holds: gem, kind: bag, per: player}
  heap: {holds: gem, kind: bag}
  notes: {holds: gem, kind: ledger}
  under: {holds: gem, kind: bag, seen_by: none}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}, end: {}}
start: game
clauses:
- id: deal
  kind: setup
  says: one lies on the heap and one under it
  on: game
  do: |
    move(gem.pearl, box, heap)
    move(gem.ruby, box, under)
    add(gem.ruby, notes)
    x = choose(range(0, 3), by=active, ask="How many?")
    n = x
    end()
- {id: take, kind: effect, says: the heap is taken, on: end, do: "move_all(heap, mine[active])"}
- {id: found, kind: effect, says: so is what lies under it, on: end, do: "move_all(under, heap)"}
- id: wealth
  kind: define
  says: gems count what they are worth
  define: wealth_of
  params: {p: player}
  value: sum(g.worth for g in mine[p])
- {id: lying, kind: define, says: so does it, define: lying, value: sum(g.worth for g in heap)}
- id: both
  kind: define
  says: both together
  define: all_of
  params: {p: player}
  value: wealth_of(p) + lying
- {id: over, kind: outcome, says: a sentence on both, on: end, do: "n = lying\\nend_game()"}
- {id: most, kind: outcome, says: the wealthiest wins, on: end,
   do: "win(only(argmax(wealth_of(p) for p in players)))"}
"""


def test_a_situation_shows_what_decides(tmp_path: Path) -> None:
    """The terms that clauses use are shown; the box, and tallies, only if they name these."""
    (tmp_path / "game.yaml").write_text(SCORED, "utf-8")
    made = compile_game(load_game(str(tmp_path)))
    state = Interpreter(made.machine).start().state
    values = values_by_name(made.machine, state)
    values["mine"] = {"player 1": {"Ruby": 1, "Pearl": 1}, "player 2": {}}
    position = {"node": made.machine.nodes[state.node].name, "to_move": None, "state": values}

    def board(*clauses: str) -> Board:
        shown = page_of(Finding("g/gap/x", "gap", "who wins?", clauses, (), Evidence(
            "witness", "sampled", "printed", replayed=True, position=position), PUBLIC),
            Subject(made)).board
        assert shown is not None
        return shown

    def others(*clauses: str) -> dict[str, str]:
        return {one.name: one.text for one in board(*clauses).shared}

    assert [(row.name, row.cells) for row in board("most").rows] == [
        ("mine", ("Ruby, Pearl", "")), ("wealth", ("4", "0"))]
    assert others("most").keys() == {"heap", "under"}
    assert others("deal").keys() >= {"heap", "box", "notes", "under"}
    assert others("over")["lying"] == "1"
    assert [row.name for row in board("wealth").rows] == ["mine", "all"]


ASSUMED = """
game: assumed
title: Assumed
players: {count: 2}
constants: {life_at_start: 7, cards_each: {value: 1, clause: deal}, most: 99}
families: {gem: {attributes: {worth: int 0..9}}}
cards:
  gem:
    ruby: {name: Ruby, worth: 3, copies: 2, assumed: [worth]}
    pearl: {name: Pearl, worth: 1, copies: 2, assumed: all}
zones:
  deck: {holds: gem, kind: deck, starts: all}
  hand: {holds: gem, kind: bag, per: player}
state: {life: {type: int 0..most, per: player}}
steps: {game: {}, end: {}}
start: game
clauses:
- {id: deal, kind: setup, says: a card each, on: game,
   do: "for p in players:\\n  draw(cards_each, deck, hand[p])\\nend()"}
- {id: full, kind: define, says: the Life at the start, define: full, value: life_at_start}
- {id: lives, kind: effect, says: everybody has it, on: end,
   do: "for p in players:\\n  life[p] = full"}
- {id: said, kind: claim, says: it is less than the most, claim: life_at_start < most}
"""


def test_what_is_assumed_is_named(tmp_path: Path) -> None:
    """Invented cards stand apart from assumed values, and numbers of no sentence are named.

    If most cards are assumed that is said once, and of no finding.
    """
    (tmp_path / "game.yaml").write_text(ASSUMED, "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))))

    def told(*clauses: str, subject: Subject = subject) -> str:
        return page_of(Finding("g/gap/x", "gap", "who wins?", clauses, (), Evidence(
            "witness", "sampled", "printed", replayed=True,
            plays=(Shown("", {"steps": [], "assumes": ["Ruby", "Pearl"]}),)), PUBLIC),
            subject).assumed

    cards = ("Values of these cards are assumed, as the book does not print them: Ruby. "
             "These cards are invented, as the book prints nothing of them: Pearl.")
    more = ", ".join(f"x{n}: {{name: X{n}, worth: 1, copies: 1}}" for n in range(3))
    (tmp_path / "game.yaml").write_text(ASSUMED.replace(
        "assumed: all}", f"assumed: all}}\n    {more.replace('}, ', chr(125) + chr(10) + '    ')}"),
        "utf-8")
    few = Subject(compile_game(load_game(str(tmp_path))))

    assert told("deal", subject=few) == cards
    assert told("deal") == ""
    assert told("lives") == "These numbers are assumed: life at start 7."
    assert "2 of 2 kinds of cards" in mostly_assumed(subject)
    assert "1 of them invented with their names" in mostly_assumed(subject)
    assert mostly_assumed(subject).endswith("are assumed: life at start 7.")


STACKS = """
game: stacks
title: Stacks
players: {count: 2}
families: {gem: {attributes: {worth: int 0..9}}}
cards:
  gem: {KINDS}
zones:
  box: {holds: gem, kind: bag, starts: all}
  board: {holds: gem, kind: bag}
  laid: {holds: gem, kind: ledger}
  aside: {holds: gem, kind: bag}
  deck: {holds: gem, kind: deck, per: player, seen_by: none}
  lost: {holds: gem, kind: deck, per: player, seen_by: none}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}, end: {}}
start: game
clauses:
- {id: go, kind: order, says: they play, on: game, do: "n = 1\\nend()"}
- {id: full, kind: define, says: what is gone, define: gone,
   value: "count(c for c in laid if count(board, c) == 0)"}
- {id: worth, kind: define, says: what they have, define: worth_of, params: {p: player},
   value: "sum(g.worth for g in deck[p])"}
- {id: over, kind: outcome, says: an end, on: end, when: gone > 0, do: end_game()}
- {id: most, kind: outcome, says: the wealthiest wins, on: end,
   do: "win(only(argmax(worth_of(p) for p in players)))"}
"""


def test_at_an_end_all_is_drawn_that_counts(tmp_path: Path) -> None:
    """To the last card, also what lies face down, and what has run out; before it only numbers."""
    kinds = [f"g{n}: {{name: Gem {n}, worth: 1, copies: 9}}" for n in range(30)]
    (tmp_path / "game.yaml").write_text(
        STACKS.replace("KINDS", ", ".join(kinds)), "utf-8")
    made = compile_game(load_game(str(tmp_path)))
    machine = made.machine
    state = Interpreter(machine).start().state
    held = {f"Gem {n}": 1 for n in range(30)}
    values = values_by_name(machine, state) | {
        "deck": {"player 1": held, "player 2": {}}, "lost": {"player 1": held, "player 2": {}},
        "laid": {"Gem 1": 1, "Gem 2": 1}, "board": {"Gem 2": 3}}

    def drawn(node: str, outcome: str = "") -> tuple[dict[str, str], dict[str, str]]:
        shown = page_of(Finding("g/gap/x", "gap", "who wins?", ("go",), (), Evidence(
            "witness", "sampled", "printed", replayed=True, position={
                "node": node, "to_move": None, "state": values}), PUBLIC,
            readings=(Outcome("a", "A", outcome),)), Subject(made)).board
        assert shown is not None
        return ({row.name: row.cells[0] for row in shown.rows},
                {one.name: one.text for one in shown.shared})

    for rows, others in (drawn("game over"), drawn("game", "the game is over: nobody wins")):
        assert rows["deck"] == ", ".join(held)
        assert rows["lost"] == "30 cards"
        assert rows["worth"] == "30"
        assert others["board"] == "3 × Gem 2; none left of Gem 1"
        assert others["gone"] == "1"
        assert "laid" not in others
    rows, others = drawn("game")
    assert rows["deck"] == "30 cards"
    assert "gone" not in others
