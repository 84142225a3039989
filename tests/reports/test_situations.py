"""A situation shows what decides a question, and nothing that nobody looks at."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleproof.checker.bench.workbench import Instance
from ruleproof.checker.findings.evidence import position_of
from ruleproof.checker.findings.results import (
    PUBLIC,
    AssumedCard,
    Coverage,
    Evidence,
    Finding,
    Report,
    Shown,
)
from ruleproof.checker.findings.rows import Outcome
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.plays.plays import record
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.views.deeds import assumed_values
from ruleproof.reports.blocks.assumed import NOTE, all_assumed, assumed_rows, rests_on
from ruleproof.reports.blocks.boards import Board
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.blocks.terms import term_values
from ruleproof.reports.formats.html import html
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import text

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
  notes: {holds: gem, kind: ledger, internal: true}
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
    """The terms that clauses use are shown; the box, and our tallies, only if they name these."""
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
    assert others("deal").keys() >= {"heap", "box", "under"}
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
- {id: noted, kind: effect, says: it is noted, on: end, do: pass, internal: true}
"""


def test_what_is_assumed_is_named(tmp_path: Path) -> None:
    """Each finding names the invented cards of its plays apart from those of assumed values."""
    (tmp_path / "game.yaml").write_text(ASSUMED, "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))))

    def told(*clauses: str, subject: Subject = subject) -> str:
        return page_of(Finding("g/gap/x", "gap", "who wins?", clauses, (), Evidence(
            "witness", "sampled", "printed", replayed=True,
            plays=(Shown("", {"steps": [], "assumes": ["Ruby", "Pearl"]}),)), PUBLIC),
            subject).assumed

    cards = ("Its plays rest on cards invented for this check (†): Pearl. "
             "Its plays rest on values that are assumed, of these cards: Ruby.")

    assert told("deal") == cards
    assert told("lives") == f"{cards} These numbers are assumed: life at start 7."
    assert "For none of the 2 kinds of cards played with here does the book print all values" in (
        all_assumed(subject))
    assert "of 1 the names are invented, too" in all_assumed(subject)
    assert all_assumed(subject).endswith("are assumed: life at start 7.")


def test_invented_cards_are_counted_among_those_of_the_game(tmp_path: Path) -> None:
    """A smaller game has fewer of them than the printed one, of which all are known."""
    (tmp_path / "game.yaml").write_text(ASSUMED, "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))), assumed=tuple(
        AssumedCard(name, {}, invented=True) for name in ("Opal", "Topaz")))

    assert "of 1 the names are invented, too" in all_assumed(subject)


def test_what_a_spec_notes_for_itself_is_no_passage(tmp_path: Path) -> None:
    """A finding quotes the clauses that sentences stand behind, and none that is internal."""
    (tmp_path / "game.yaml").write_text(ASSUMED, "utf-8")
    page = page_of(Finding("g/gap/x", "gap", "who wins?", ("lives", "noted"), (), Evidence(
        "data", "proof", "printed", replayed=False), PUBLIC),
        Subject(compile_game(load_game(str(tmp_path)))))

    assert [each.ours for each in page.passages] == ["everybody has it"]


INVENTED = """
game: invented
title: Invented
titles: {worth: price, played: in play}
players: {count: 2}
families: {gem: {attributes: {worth: int 0..9, set_with: card gem?, rare: bool}}}
cards:
  gem:
    ruby: {name: Ruby, worth: 3, copies: 2, rare: True, assumed: [worth, rare]}
    red: {name: Ruby Red, worth: 0, copies: 1, assumed: all, abilities: {
      played: "if life[active] >= 2:\\n  gain(active, 1)\\n  life[active] -= 1"}}
    pearl: {name: Pearl, copies: 4, assumed: all}
    opal: {name: Opal, worth: 1, copies: 2}
zones:
  deck: {holds: gem, kind: deck, starts: all}
  hand: {holds: gem, kind: bag, per: player}
state: {life: {type: int 0..9, per: player}, active: {type: player, start: 1}}
steps: {game: {}, gain: {title: A player gains Life, params: {who: player, many: int 0..9}}}
start: game
clauses:
- {id: deal, kind: setup, says: a card each, on: game,
   do: "for p in players:\\n  c = draw(deck, hand[p])\\n  c.played()"}
- {id: gains, kind: effect, says: so much, on: gain, do: "life[who] += many"}
"""


def test_invented_cards_are_marked_and_what_is_assumed_stands_in_a_table(tmp_path: Path) -> None:
    """In plays, situations and answers an invented card has a dagger, and a table has its values.

    A name within a longer one, or a printed one, is not marked.
    """
    (tmp_path / "game.yaml").write_text(INVENTED, "utf-8")
    compiled = compile_game(load_game(str(tmp_path)))
    step = {"node": "game", "state": "", "by": "player 1", "event": "take",
            "choice": {"card": "Ruby Red"}}
    play = {**record(compiled, ()), "steps": [step], "assumes": ["Ruby", "Ruby Red", "Pearl"]}
    position = {"node": "game", "state": {"hand": {"player 1": {"Opal": 1, "Pearl": 2},
                                                   "player 2": {"Ruby": 1}}}}
    finding = Finding("g/gap/x", "gap", "who wins?", ("deal",), (), Evidence(
        "witness", "sampled", "printed", replayed=True, plays=(Shown("", play),),
        position=position), PUBLIC, readings=(Outcome("a", "A", "hand: Ruby Red, Opal"),))
    report = Report("invented", "Invented", "0" * 64, "1", {"players": 2}, (), (finding,), (), (),
                    (), Coverage(0, 0, 0, 0, 0, 0, 0, 0))
    deed = ("if life of active is at least 2: a player gains Life (1), "
            "then life of active -1")
    told = {"md": markdown(report, compiled), "txt": text(report, compiled),
            "html": html(report, compiled, str(tmp_path))}

    bare = replace(finding, evidence=replace(finding.evidence, plays=()))
    assert page_of(bare, Subject(compiled)).assumed == NOTE
    board = page_of(finding, Subject(compiled)).board
    assert board is not None
    assert [row.cells for row in board.rows] == [("Opal, 2 × Pearl†", "Ruby")]
    of_another = Subject(compiled, assumed=(AssumedCard("Opal", {"name": 1}, invented=True),))
    assert of_another.marked("Opal and Ruby Red") == "Opal† and Ruby Red†"
    for form, shown in told.items():
        assert "hand: Ruby Red†, Opal" in shown, form
        assert "takes Ruby Red†" in shown, form
        assert "Ruby†" not in shown, form
    assert told["md"].count("](#assumed)") == told["html"].count('href="#assumed"') == 2
    assert assumed_rows((finding,), Subject(compiled)) == (
        ("Ruby", "price 3; rare"),
        ("Ruby Red†", f"played: {deed}; 1 in the game"),
        ("Pearl†", "4 in the game"))
    rests_on_none = replace(finding, evidence=replace(finding.evidence, plays=()))
    assert [card for card, _ in assumed_rows((rests_on_none,), Subject(compiled))] == [
        "Ruby", "Ruby Red†", "Pearl†"]
    assert assumed_rows((), Subject(compiled)) == ()
    assert dict(assumed_values(compiled.game, finding.assumes)[1][1]) == {
        "copies": 1, "worth": 0, "set_with": None, "rare": False, "played": deed}


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
    values["board"] = {"Gem 1": 1, "Gem 2": 1}
    assert "gone" not in drawn("game over")[1]
    rows, others = drawn("game")
    assert rows["deck"] == "30 cards"
    assert "gone" not in others


BATTLE = """
game: battle
title: Battle
players: {count: 2}
state: {active: {type: player, start: 1}, held: {type: int 0..9}}
steps: {game: {}}
start: game
clauses:
- {id: go, kind: order, says: they fight, on: game,
   do: "a = choose(range(2, 4), by=active)\\nheld = a\\nb = choose(range(5, 7), by=active)\\nheld = b\\nx = choose(range(0, 2), by=active)\\nwin(active if defence > x else next_player(active))"}
- {id: defence, kind: define, says: what is held, define: defence, value: held}
"""  # noqa: E501


def test_numbers_of_before_the_choice_are_none_of_the_situation(tmp_path: Path) -> None:
    """Neither those as at the start nor those that the move made there changes."""
    (tmp_path / "game.yaml").write_text(BATTLE, "utf-8")
    game = Instance(load_game(str(tmp_path)))
    made, judge = game.compiled, game.interpreter
    state = judge.start().state
    shown: list[tuple[dict[str, tuple[int, ...]], ...]] = []
    while not judge.final(state):
        move = judge.moves(state)[0]
        asked = position_of(game, state)
        shown.append(tuple({one.name: one.numbers for one in term_values(each, made, ["go"])}
                           for each in (asked, position_of(game, state, move))))
        state = judge.step(state, move).state

    assert shown == [({}, {}), ({"defence": (2,)}, {}), ({"defence": (5,)}, {"defence": (5,)})]


@pytest.mark.parametrize(("does", "told"), [
    ("pay(active, 1)", "a payment (1)"),
    ("reward(0, 2)", "reward (coins 0, won points 2)"),
    ("score += 2", "won points +2"),
    ("pay(next_player(active), 1)", "a payment (next player of active, 1)"),
])
def test_what_a_card_does_is_told_in_words(does: str, told: str, tmp_path: Path) -> None:
    """Not by whom, if that is who plays it; numbers with what they count, titles for names."""
    (tmp_path / "game.yaml").write_text(f"""
game: told
title: Told
players: {{count: 2}}
families: {{gem: {{attributes: {{worth: int 0..9}}}}}}
cards: {{gem: {{ruby: {{name: Ruby, copies: 1, abilities: {{played: "{does}"}}, assumed: all}}}}}}
state: {{active: {{type: player}}, score: {{type: int 0..9}}}}
titles: {{score: won points}}
steps:
  game: {{}}
  pay: {{title: A payment, params: {{payer: player, many: int 0..3}}}}
  reward: {{params: {{coins: int 0..3, score: int 0..3}}}}
start: game
clauses: [{{id: over, kind: order, says: it is over, on: game, do: end_game()}}]
""", "utf-8")
    game = load_game(str(tmp_path))

    assert dict(assumed_values(game, ("Ruby",))[0][1])["played"] == told


@pytest.mark.parametrize(("name", "lines", "told"), [
    ("Ruby: Heart of Fire", ["", ""], "a Ruby shines, and a shining Ruby counts twice"),
    ("Ruby", ["", "lines: [2, 2], "], "a Ruby shines"),
    ("Ruby", ["lines: [1, 1], ", "lines: [2, 2], "], "as the book says, a Ruby shines"),
    ("Opal", ["", ""], "Ruby"),
    ("♥", ["", ""], "Ruby"),
    ("Ruby", ["", "only_in: [night], "], "a Ruby shines"),
])
def test_an_effect_that_is_called_like_its_card_is_told_by_its_sentences(
    name: str, lines: list[str], told: str, tmp_path: Path
) -> None:
    """What no line of the book says is told as assumed, and what the book says as its own.

    What is said for another mode is not, nor is a name without letters how anything begins.
    """
    (tmp_path / "game.yaml").write_text(f"""
game: told
title: Told
players: {{count: 2}}
rulebook: {{file: book.md, lines: 2, outline: {{"1": 1, "2": 1}}}}
families: {{gem: {{attributes: {{worth: int 0..9}}}}}}
cards: {{gem: {{r: {{name: "{name}", copies: 1, abilities: {{played: shine()}}, assumed: all}}}}}}
state: {{active: {{type: player}}, score: {{type: int 0..9}}}}
variants: {{night: {{title: at night}}}}
steps:
  game: {{}}
  shine: {{title: Ruby}}
  again: {{}}
start: game
clauses:
- {{id: over, kind: order, says: it is over, on: game, do: end_game()}}
- {{id: one, {lines[0]}kind: effect, says: a Ruby shines, on: shine, do: "score += 1\\nagain()"}}
- {{id: two, {lines[1]}kind: effect, says: a shining Ruby counts twice, on: again, do: score += 1}}
""", "utf-8")
    game = load_game(str(tmp_path))

    assert dict(assumed_values(game, (name,))[0][1])["played"] == told


@pytest.mark.parametrize("cards", [3, 20])
def test_only_cards_that_matter_are_named(cards: int, tmp_path: Path) -> None:
    """Those that somebody plays and that answers tell of."""
    names = [f"Gem {number}" for number in range(1, cards + 1)]
    (tmp_path / "game.yaml").write_text(INVENTED, "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))))
    play = {"assumes": names, "steps": [
        {"by": "chance", "choice": {"card": {"card": "Gem 1"}}},
        {"by": "player 1", "choice": {"cards": {"cards": {"Gem 3": 1}}}}]}
    finding = Finding("g/gap/x", "gap", "who wins?", ("deal",), (), Evidence(
        "witness", "sampled", "printed", replayed=True, plays=(Shown("", play),)), PUBLIC,
        readings=(Outcome("a", "A", "hand: 2 × Gem 2"),))

    assert rests_on(finding, subject).endswith(": Gem 2, Gem 3.")


@pytest.mark.parametrize(("scope", "told"), [
    ("printed", "These numbers are assumed: wits 7."), ("tiny", "")])
def test_assumed_numbers_are_those_of_the_game_shown(
    scope: str, told: str, tmp_path: Path
) -> None:
    """What a smaller game sets otherwise is no assumption that what it shows rests on."""
    (tmp_path / "game.yaml").write_text("""
game: g
players: {count: 2}
constants: {wits: 7}
state: {n: {type: int 0..99, start: 0}}
steps: {game: {}}
start: game
clauses: [{id: run, kind: order, says: all think, on: game, do: n = wits}]
scopes: {tiny: {constants: {wits: 1}}}
""", "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))))
    finding = Finding("g/gap/x", "gap", "who wins?", ("run",), (), Evidence(
        "witness", "sampled", scope, replayed=True), PUBLIC)

    assert rests_on(finding, subject) == told
