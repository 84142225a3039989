"""What only a mode shows is sought in the printed game of that mode, and told with its name."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.bench.modes import played_as, settings_of
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import Report
from ruleproof.checker.points.points import Point, has_clauses
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.documents import is_object
from ruleproof.model.plays.plays import replay
from ruleproof.model.source.errors import SpecErrors
from ruleproof.reports.blocks.measures import comes_up, counts
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.support.games import loaded, often
from ruleproof.tests.support.little import write

RACE = """
game: race
title: Race
players: {min: 2, max: 4, default: 2}
constants: {turns: 8}
state:
  n: {type: int 0..9}
  score: {type: int 0..9, per: player}
  active: {type: player, start: 1}
  noted: {type: bool, internal: true}
steps: {game: {}}
windows: {acting: {by: active, done: pass}}
start: game
clauses:
- id: r.turns
  kind: order
  says: there are some turns
  on: game
  do: |
    while n < turns:
      n += 1
      acting()
      active = next_player(active)
- id: r.score
  kind: permit
  says: who acts scores
  on: acting
  option: score
  do: score[actor] += 1
- id: r.end
  kind: outcome
  says: the best wins
  on: game
  after: [r.turns]
  do: win({p for p in players if all(score[q] <= score[p] for q in players)})
- id: r.few
  kind: limit
  only_in: [short]
  says: nobody scores more than once
  always: all(score[p] <= 1 for p in players)
- {id: r.crowd, kind: effect, says: among four the last one loses nine, on: game,
  after: [r.turns], before: [r.end], when: player_count > 3, do: "score[active] -= 9"}
- {id: r.none, kind: permit, only_in: [short], says: who acts may take a score back, on: acting,
  option: back, do: "score[actor] -= 1"}
- {id: r.last, kind: effect, only_in: [short], says: the last one scores, on: game,
  after: [r.turns], before: [r.end], do: "score[active] = 2"}
variants:
  short: {title: the short race, clause: r.few, players: 3}
  long: {title: the long race, clause: r.turns, players: 4, when: player_count > 3}
open_points:
- id: last
  clauses: [r.last]
  asks: who is the last one
  readings:
  - {id: next, title: who would be next, changes: {}}
  - id: before
    title: who was before
    changes: {r.last: {do: "score[previous_player(active)] = 2"}}
- id: back
  clauses: [r.none]
  asks: how much is taken back
  readings:
  - {id: one, title: one, changes: {}}
  - id: noted
    title: one, which is noted
    changes:
      r.none:
        do: |
          noted = True
          score[actor] -= 1
scopes:
  tiny: {constants: {turns: 2}}
  tiny_short: {constants: {turns: 3}, players: 2, variants: [short]}
"""


@pytest.fixture(name="source", scope="module")
def _source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("race"), RACE)


@pytest.fixture(name="report", scope="module")
def _report(source: Path) -> Report:
    return verify(str(source), Settings(), only=(
        "limit-broken", "undefined-operation", "ambiguity"))


@pytest.mark.parametrize("clause", ["r.few", "r.none", "r.last"])
def test_what_a_mode_shows_counts(report: Report, clause: str) -> None:
    """A broken limit, something that cannot be done and a reading, each with how often."""
    (found,) = (one for one in report.everything if one.clauses[0] == clause)
    page = page_of(found, Subject())

    assert not found.only_smaller
    assert found.frequency is not None
    assert found.evidence.mode == "in the mode “the short race”"
    assert "in the mode" in page.often[0]
    assert "in the mode" in page.far


def test_what_makes_no_difference_in_a_mode_is_said_of_that_mode(report: Report) -> None:
    """The number of players of the game as it is chosen is not that of the mode."""
    (same,) = (one for one in report.harmless if one.open_point == "back")

    assert "in the mode “the short race”" in same.why
    assert "at the printed size with 2 players" not in same.why


def test_what_takes_many_players_is_found(source: Path, report: Report) -> None:
    """It comes up with the most players alone; the report says so, and the play replays."""
    (found,) = (one for one in report.findings if one.clauses[0] == "r.crowd")
    page = page_of(found, Subject())
    compiled = compile_game(load_game(str(source), Settings(players=4)))

    assert found.open_point == "beyond-bounds/r.crowd"
    assert [one.identity and one.identity.kind for one in found.consequences] == ["out-of-range"]
    assert found.evidence.mode == "with 4 players"
    assert found.evidence.method == "sampled"
    assert "with 4 players" in page.often[0]
    assert "with 4 players" in page.far
    assert replay(found.evidence.plays[0].play, compiled).ok


def test_a_mode_is_played_only_in_games_that_it_is_for(source: Path, report: Report) -> None:
    """Two modes that together are for no game are not played together."""
    played = list(played_as(Workbench(str(source), Settings())))

    assert (("long",), None) in played
    assert (("short", "long"), None) not in played
    assert not [one for one in report.not_checked if "the long race" in one.what]


def test_a_game_that_a_mode_binds_is_played_in_it(tmp_path: Path) -> None:
    """Whoever chooses so many players gets the mode that is for them; a scope does not."""
    source = str(write(tmp_path, RACE.replace(
        "when: player_count > 3}", "when: player_count > 3, binding: true}").replace(
        "  tiny: {", "  crowd: {players: 4, constants: {turns: 2}}\n  tiny: {")))

    def modes(**chosen: Any) -> tuple[str, ...]:  # noqa: ANN401  (what `Settings` takes)
        return load_game(source, Settings(**chosen)).settings.variants

    assert modes() == ()
    assert modes(players=4) == ("long",)
    assert modes(players=4, variants=("short",)) == ("short", "long")
    assert modes(scope="crowd") == ()
    ways = played_as(Workbench(source, Settings()))
    games = [load_game(source, Settings(variants=way, players=players)) for way, players in ways]
    met = [(game.settings.variants, game.players) for game in games]
    assert len(met) == len(set(met))
    assert all("long" in way for way, players in met if players > 3)


def test_what_binds_says_for_which_games(tmp_path: Path) -> None:
    """A mode that binds without a condition would be no mode."""
    source = write(tmp_path, RACE.replace(
        ", when: player_count > 3}\nopen", ", binding: true}\nopen"))

    with pytest.raises(SpecErrors, match="when"):
        load_game(str(source))


@pytest.mark.parametrize("name", often("edition-wars", "penguin-brawl"))
def test_all_modes_are_played(name: str) -> None:
    """Each alone, any two that go together in one game, and the fewest and the most players."""
    game = loaded(name)
    asked = list(settings_of(game))
    sets = [{*modes} for modes, _ in asked]
    players = {count for _, count in asked}

    assert {*game.players_range} <= {*players, game.players}
    for one, two in combinations(game.variants, 2):
        apart = any(two in game.variants[a].excludes or one in game.variants[b].excludes
                    for a, b in ((one, two), (two, one)))
        assert apart or any({one, two} <= each for each in sets)
    assert all(any(one in each for each in sets) for one in game.variants)


def test_its_play_is_one_of_the_printed_game_in_that_mode(source: Path, report: Report) -> None:
    """With as many players as the mode is for; it replays."""
    (found,) = (one for one in report.everything if one.clauses[0] == "r.few")
    compiled = compile_game(load_game(str(source), Settings(variants=("short",))))

    assert compiled.game.players == 3
    assert replay(found.evidence.plays[0].play, compiled).ok


def test_the_chosen_mode_needs_no_name(source: Path) -> None:
    """Where the mode is chosen, it is the printed game that is spoken of."""
    report = verify(str(source), Settings(variants=("short",)), only=("limit-broken",))
    (found,) = report.findings

    assert (found.evidence.mode, found.only_smaller) == ("", False)


def test_a_mode_is_for_players_that_the_game_has(tmp_path: Path) -> None:
    """Else the spec is refused, at the place."""
    source = write(tmp_path, RACE.replace("players: 3}", "players: 7}"))
    with pytest.raises(SpecErrors, match="2 to 4 players, not 7"):
        load_game(str(source))


CARDS = """families: {f: {attributes: {worth: int 0..9}}}
cards: {f: {a: {copies: 4, worth: 1}, b: {copies: 4, worth: 2}}}
zones:
  deck: {holds: f, kind: deck, starts: all, seen_by: none}
  hand: {holds: f, kind: bag, per: player}
"""
DEAL = """- id: r.deal
  kind: effect
  only_in: [short]
  says: all are dealt a card
  on: game
  before: [r.turns]
  do: |
    for p in players:
      draw(1, deck, hand[p])
      score[p] = 0
      if any(c.worth > 1 for c in hand[p]):
        score[p] = 1
variants:"""


def test_an_order_of_players_is_not_lifted_by_who_is_dealt_what(tmp_path: Path) -> None:
    """In the mode each order deals other cards to a player; that the order matters is not shown."""
    text = RACE.replace("state:\n", CARDS + "state:\n").replace("variants:", DEAL, 1).replace(
        "turns: 3}", "turns: 3}, cards: {f: {a: 1, b: 0}}")
    report = verify(str(write(tmp_path, text)), Settings(), only=("order-dependence",))
    (found,) = (one for one in report.everything if "r.deal" in one.clauses)

    assert found.only_smaller
    assert not found.evidence.mode


def test_what_runs_in_another_mode_is_not_dead(tmp_path: Path) -> None:
    """Nor what runs with more players alone; what runs nowhere is, in a game of several modes."""
    spec = RACE.replace("clauses:\n", """clauses:
- {id: r.never, kind: effect, says: with nine players all lose, on: game, before: [r.end],
   after: [r.turns], when: player_count == 9, do: "for p in clockwise(active):\\n  score[p] = 0"}
""")
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("dead-clause",))
    dead = {one.clauses[0] for one in report.everything if one.cls == "dead-clause"}

    assert "r.crowd" not in dead
    assert "r.never" in dead


def test_what_runs_among_more_players_and_does_nothing_is_told(tmp_path: Path) -> None:
    """They were only played at random: that it does nothing at all is not known, and said."""
    spec = RACE.replace("clauses:\n", """clauses:
- {id: r.idle, kind: effect, says: four gain nothing, on: game, before: [r.end],
   after: [r.turns], when: player_count > 3, do: "for p in clockwise(active):\\n  score[p] += 0"}
""")
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("dead-clause", "inert-clause"))
    lines = {one.what: one.why for one in report.not_checked}

    assert "was only played at random" in lines["whether r.idle does anything"]


def test_numbers_of_players_that_are_not_compared_are_named(report: Report) -> None:
    """Of two to four, two are compared, the others if need be; all are looked at for what fails."""
    (line,) = [one for one in report.not_checked if one.what.startswith("open points, sentences")]

    assert "games with 3 and 4 players" in line.what
    assert "with 2 players, and with 3 and 4 where that shows nothing (not orders);" in line.why
    assert "1,000 random plays with 3 and 4 were searched for what fails" in line.why


@pytest.mark.parametrize("scope", ["", "  four: {players: 4, constants: {turns: 2}}\n"])
def test_a_reading_that_only_many_players_tell_apart_is_found(scope: str, tmp_path: Path) -> None:
    """The chosen game has fewer; the printed one is played by four, whether a scope has or not."""
    spec = RACE.replace("open_points:\n", """open_points:
- id: crowd
  clauses: [r.crowd]
  asks: what becomes of the last one among four
  readings:
  - {id: loses, title: he loses nine, changes: {}}
  - {id: gains, title: he gains three, changes: {r.crowd: {do: "score[active] += 3"}}}
""")
    (tmp_path / "game.yaml").write_text(spec + scope, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    (found,) = [one for one in report.everything if one.open_point == "crowd"]

    assert not found.only_smaller
    assert found.frequency is not None
    assert found.evidence.mode == "with 4 players"
    assert not [one for one in report.harmless if one.open_point == "crowd"]


DIE = """
game: die
title: A die with many sides, or with few
players: {count: 2}
state: {active: {type: player, start: 1}, six: {type: bool}}
steps: {game: {}}
start: game
clauses:
- {id: d.many, kind: effect, not_in: [few], says: many sides, on: game, do: "n = roll(600)\\nsix = n == 6"}
- {id: d.few, kind: effect, only_in: [few], says: six sides, on: game, do: "n = roll(6)\\nsix = n == 6"}
- id: d.six
  kind: effect
  says: a six is followed by a choice
  on: game
  after: [d.many, d.few]
  do: |
    if six:
      x = choose(range(0, 2), by=active)
- {id: d.end, kind: outcome, says: nobody wins, on: game, after: [d.six], do: end_game()}
variants:
  few: {title: the short die, clause: d.few}
open_points:
- id: choice
  clauses: [d.six]
  asks: between how many
  readings:
  - {id: two, title: two, changes: {}}
  - {id: three, title: three, changes: {d.six: {do: "if six:\\n  x = choose(range(0, 3), by=active)"}}}
scopes:
  tiny: {players: 2}
  tiny_few: {players: 2, variants: [few]}
"""  # noqa: E501


def test_what_is_rare_is_told_of_the_mode_in_which_it_is_common(tmp_path: Path) -> None:
    """What comes up in one game of hundreds as the game is chosen is measured in each mode."""
    report = verify(str(write(tmp_path, DIE)), Settings(), only=("ambiguity",))
    (found,) = (one for one in report.findings if one.open_point == "choice")

    assert found.frequency is not None
    assert found.frequency.mode == "in the mode “the short die”"
    assert found.frequency.seen > found.frequency.plays / 10
    (chosen,) = found.compared
    assert (chosen.mode, chosen.reading) == ("", found.frequency.reading)
    assert 0 < chosen.seen < chosen.plays / 100
    often = page_of(found, Subject()).often
    assert [each.partition(":")[0] for each in often[1:]] == [
        "The same answers, in the game of the head of the report"]
    assert "The game shown is none of these" in often[0]
    assert re.fullmatch(
        r"[\d.]+ %; in the mode “the short die” 1\d %", comes_up(found))
    assert "after the share of that game if it has any" in counts(report)


@pytest.mark.parametrize("players", [2, 3])
def test_a_question_is_sought_in_all_modes_if_the_chosen_game_never_comes_to_it(
    players: int, tmp_path: Path
) -> None:
    """A small game of the chosen mode shows it, by a constant of its own; another mode often.

    If it takes more players than are chosen, they are as many in the other mode.
    """
    spec = DIE.replace('n == 6"', f'n == 6 and player_count == {players}"').replace(
        "roll(600)\\nsix = n == 6", "roll(6)\\nsix = n == 6 and lucky == 1").replace(
        "{count: 2}\n", "{min: 2, max: 3, default: 2}\nconstants: {lucky: 0}\n").replace(
        "tiny: {players: 2}", f"tiny: {{players: {players}, constants: {{lucky: 1}}}}").replace(
        "tiny_few: {players: 2", f"tiny_few: {{players: {players}")
    report = verify(str(write(tmp_path, spec)), Settings(), only=("ambiguity",))
    (found,) = (one for one in report.findings if one.open_point == "choice")

    assert not found.only_smaller
    assert found.frequency is not None
    assert found.frequency.mode == "in the mode “the short die”" + " with 3 players" * (
        players == 3)


def test_a_play_is_told_of_the_mode_in_which_it_is_played(tmp_path: Path) -> None:
    """The modes of a play are those of its game, though the share is that of games of another."""
    report = verify(str(write(tmp_path, DIE)), Settings(), only=("ambiguity",))
    (found,) = (one for one in report.findings if one.open_point == "choice")
    (shown, *_) = found.evidence.plays
    settings = shown.play["settings"]

    assert is_object(settings)
    assert not shown.scope
    assert (settings["variants"], found.evidence.mode) == ([], "")
    assert "in the mode" in page_of(found, Subject()).often[0]
    assert "in the mode" not in page_of(found, Subject()).far


NIGHT = """
game: night
title: Night
players: {count: 2}
state: {active: {type: player, start: 1}, lit: {type: bool}, dark: {type: bool, start: true}}
variants: {night: {title: by night, clause: named}, day: {title: by day}}
steps: {game: {}}
windows: {lamp: {by: active, done: wait}}
start: game
clauses:
- {id: named, kind: variant, says: it may be night}
- {id: game, kind: order, says: a lamp may be lit, on: game, do: "lamp()\\nlamp()\\nend_game()"}
- {id: light, kind: permit, on: lamp, option: light, do: lit = True, says: light it}
- {id: at_night, kind: define, says: it is night, define: at_night, value: variant(night)}
- {id: late, kind: define, says: it is late, define: late, value: at_night and not lit}
- {id: see, kind: effect, says: with a lamp it is not dark, on: game, before: [game], when: "WHEN",
   do: dark = False}
"""


@pytest.mark.parametrize(("clause", "when", "modes"), [
    ("see", "lit", ["", "night", "day"]),
    ("see", "lit and variant(night)", ["night"]),
    ("see", "lit and at_night", ["night"]),
    ("see", "late or at_night and lit", ["night"]),
    ("see", "lit and not at_night", ["", "day"]),
    ("see", "lit or at_night", ["", "night", "day"]),
    ("named", "lit", ["night"]),
    ("late", "lit", ["night"]),
])
def test_a_game_has_a_clause_in_the_modes_in_which_it_can_act(
    tmp_path: Path, clause: str, when: str, modes: list[str]
) -> None:
    """Also where the mode is named in a definition, of its condition or of a term in that."""
    (tmp_path / "game.yaml").write_text(NIGHT.replace("WHEN", when), "utf-8")
    point = Point("any", "declared", (clause,), "", (), "")
    games = {mode: load_game(str(tmp_path), Settings(variants=(mode,) if mode else ()))
             for mode in ("", "night", "day")}

    assert [mode for mode, game in games.items() if has_clauses(game, point)] == modes


DRAWS = """
game: draws
title: A deck that may run out
players: {count: 2}
constants: {cards: 9}
families: {f: {attributes: {worth: int 0..9}}}
cards: {f: {a: {copies: 9, worth: 1}}}
zones:
  deck: {holds: f, kind: deck, starts: all, seen_by: none}
  hand: {holds: f, kind: bag, per: player}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: d.draw, kind: effect, says: cards are drawn, on: game, do: "draw(cards, deck, hand[active])"}
- {id: d.end, kind: outcome, says: nobody wins, on: game, after: [d.draw], do: end_game()}
variants: {many: {title: many cards, constants: {cards: 10}}}
scopes:
  tiny: {cards: {f: {a: 8}}}
  tiny_many: {cards: {f: {a: 10}}, variants: [many]}
"""


def test_what_the_chosen_game_does_not_show_is_sought_in_all_modes(tmp_path: Path) -> None:
    """A small game of the chosen mode shows it, and of the printed ones that of another mode."""
    report = verify(str(write(tmp_path, DRAWS)), Settings(), only=("undefined-operation",))
    (found,) = (one for one in report.everything if one.clauses[0] == "d.draw")

    assert not found.only_smaller
    assert found.evidence.mode == "in the mode “many cards”"
    assert is_object(settings := found.evidence.plays[0].play["settings"])
    assert settings["variants"] == ["many"]
