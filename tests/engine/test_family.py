"""One compiled machine is each of the games of its family."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.lowering.united import United
from ruleproof.model.machine.core import FALSE, TRUE, Binary, Cond, Const, Feature, Load
from ruleproof.model.machine.presence import reads_if
from ruleproof.model.machine.simplify import negate
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.games.test_laws import GAMES, scope_of
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.variants import told_apart

SITUATIONS = 300
DERIVED = ("still-loops", "lantern-whist")
"""Games of which derived readings are looked at, too: each is compiled alone for it."""
BUNDLED = {  # the scope, the least that are in the family, the most that are not
    # Two clauses, each without which the answer to a silence of another clause says nothing.
    "edition-wars": ("tiny", 130, 4),
    # One such clause, with a reading that adds another.
    "penguin-brawl": ("tiny_opening", 190, 1),
    "penny-arcade-card-game": ("tiny", 165, 0),
}


@pytest.mark.parametrize("name", one_in(3, [
    name for name, path in GAMES.items() if not path.endswith(".yaml") and name not in bundled()]))
def test_each_small_game_of_a_family_is_that_game(name: str) -> None:
    """Without a clause, and under a reading, the family and the game alone are one machine."""
    source = GAMES[name]

    differ, compared, _ = told_apart(
        Workbench(source, Settings()), scope_of(source), most=SITUATIONS,
        derived=name in DERIVED)

    assert differ == []
    assert compared > 1


@pytest.mark.campaign
@pytest.mark.parametrize("name", BUNDLED)
def test_each_bundled_game_of_a_family_is_that_game(name: str) -> None:
    """So it is for the bundled games, and all but a few of their games are in the family."""
    scope, together, apart = BUNDLED[name]

    differ, compared, alone = told_apart(Workbench(name, Settings()), scope, most=SITUATIONS)

    assert differ == []
    assert compared >= together
    assert alone <= apart



ORCHARD = """
game: orchard
title: Every way in which clauses hang together
players: {count: 1}
enums: {fruit: [apple, pear, plum]}
state:
  left: {type: "int 0..4", start: 4}
  ripe: {type: "int 0..2", start: 0}
  kind: {type: "fruit?", start: none}
  basket: {type: "int 0..6", start: 0}
  wasps: {type: "int 0..3", start: 0}
steps:
  game: {}
  sort: {}
  weigh: {}
windows:
  orchard: {by: "player_of", repeat: true, done: go home}
start: game
clauses:
  - {id: o.who, kind: define, says: there is one gardener, define: player_of,
     value: "only(players)"}
  - {id: o.worth, kind: define, says: what a basket is worth, define: worth, value: basket + ripe}
  - {id: o.play, kind: order, says: the gardener works, on: game, do: orchard()}
  - {id: o.end, kind: outcome, says: enough in the basket wins, on: game, after: [o.play],
     when: worth > 3, do: "win(players)"}
  - {id: o.lost, kind: outcome, says: the game ends, on: game, after: [o.end], do: end_game()}
  - {id: o.pick, kind: permit, says: a fruit may be picked, on: orchard, option: pick,
     when: left > 0, do: "left -= 1\\nsort()\\nweigh()"}
  - {id: o.wait, kind: permit, says: one may wait, on: orchard, option: wait, when: ripe < 2,
     do: ripe += 1}
  - {id: o.shake, kind: permit, says: the tree may be shaken, on: orchard, option: shake,
     when: left > 0 and ripe == 0, do: "left -= 1\\nsort()"}
  - {id: o.not_yet, kind: forbid, says: nobody picks what is unripe, on: orchard.pick,
     when: ripe == 0}
  - {id: o.early, kind: permit, says: the last ones may be picked unripe, overrides: [o.not_yet],
     when: left <= 1, on: orchard, option: glean, do: sort()}
  - {id: o.stay, kind: require, says: with wasps about one has to wait, on: orchard, must: wait,
     when: wasps == 3 and ripe < 2}
  - {id: o.unknown, kind: effect, says: nobody knows at first, on: sort, do: kind = none}
  - {id: o.count, kind: effect, says: the last one is counted, on: sort, when: left == 0,
     do: wasps = 0}
  - {id: o.apple, kind: effect, says: ripe ones are apples, on: sort, when: ripe == 2,
     do: kind = apple}
  - {id: o.pear, kind: effect, says: others are pears, on: sort, when: ripe == 1, do: kind = pear}
  - {id: o.in, kind: effect, says: it goes into the basket, on: weigh, do: basket += 1}
  - {id: o.between, kind: effect, says: then it is looked at, on: weigh, after: [o.in],
     do: "wasps = min(wasps + 1, 3)"}
  - {id: o.double, kind: effect, says: in the end ripe ones count double, on: weigh,
     after: [o.between], when: ripe == 2 and basket < 3, do: basket = 2 * basket}
  - {id: o.clean, kind: require, says: the basket is never too full, on: weigh, ensure: basket < 5}
  - {id: o.full, kind: limit, says: a full basket ends the picking, always: basket <= 5}
  - {id: o.sting, kind: effect, says: wasps eat what is ripe, whenever: wasps > 1 and ripe > 0,
     do: ripe -= 1}
  - {id: o.smoke, kind: effect, says: not while hardly any fruit is left, overrides: [o.sting],
     when: left == 1, on: weigh, do: "ripe = min(ripe + 1, 2)"}
open_points:
  - id: twice
    clauses: [o.double, o.between]
    asks: when does it count double
    readings:
      - {id: last, title: in the end, changes: {}}
      - {id: first, title: at first, changes: {o.double: {after: [], before: [o.in]}}}
  - id: value
    clauses: [o.worth]
    asks: what is it worth
    readings:
      - {id: both, title: with what hangs, changes: {}}
      - {id: basket, title: the basket alone, changes: {o.worth: {value: "basket"}}}
  - id: wasps
    clauses: [o.sting]
    asks: what do wasps eat
    readings:
      - {id: ripe, title: what is ripe, changes: {}}
      - {id: hanging, title: what hangs, changes: {o.sting: {whenever: wasps > 1 and left > 2,
         do: "left -= 1"}}}
      - {id: nothing, title: nothing, drop: [o.sting]}
      - id: later
        title: once
        changes: {o.sting: {timing: after the step, fires: once per change}}
  - id: windfall
    clauses: [o.pick]
    asks: what falls down
    readings:
      - {id: none, title: nothing, changes: {}}
      - id: some
        title: as much as one likes
        changes:
          o.pick: {do: "n = choose(range(1, 3), by=only(players))\\nleft -= min(n, left)\\nsort()"}
        add:
          - {id: o.plum, kind: effect, says: the rest are plums, on: sort, when: ripe == 0,
             do: kind = plum}
"""


@pytest.fixture
def orchard(tmp_path: Path) -> Workbench:
    """Return a game in which clauses hang together in all ways."""
    (tmp_path / "game.yaml").write_text(ORCHARD, "utf-8")
    return Workbench(str(tmp_path), Settings())


@pytest.mark.campaign
def test_clauses_that_hang_together_are_told_apart_alike(orchard: Workbench) -> None:
    """Gaps, rules of any time, exceptions, orders and terms follow the configuration."""
    differ, compared, alone = told_apart(orchard, "printed", most=5_000, runs=3)

    assert differ == []
    assert compared == 78
    assert alone == 0


GROVE = """
game: grove
title: Parameters and terms that only some versions have
players: {count: 1}
state:
  left: {type: "int 0..6", start: 6}
  basket: {type: "int 0..9", start: 0}
  looked: {type: "int 0..3", start: 0}
  prize: {type: "int 0..3", start: 0}
steps: {game: {}, judge: {}}
windows: {grove: {by: only(players), repeat: true, done: go home}}
start: game
clauses:
  - {id: g.worth, kind: define, says: what it is worth, define: worth, value: basket}
  - {id: g.play, kind: order, says: first the work, on: game, do: "grove()\\njudge()\\nend_game()"}
  - id: g.pick
    kind: permit
    says: some are picked
    on: grove
    option: pick
    with: {n: "range(1, 3)"}
    do: "left -= n\\nbasket += n"
  - {id: g.enough, kind: forbid, says: no more than there are, on: grove.pick, when: n > left}
  - {id: g.look, kind: effect, says: it is looked at, on: judge, do: looked = 1}
  - {id: g.prize, kind: effect, says: much has a prize, on: judge, after: [g.look], when: worth > 2,
     do: prize = 1}
open_points:
  - id: two-hands
    clauses: [g.pick, g.enough]
    asks: with one hand or with two
    readings:
      - {id: one, title: with one, changes: {}}
      - id: two
        title: with two
        changes:
          g.pick: {with: {n: "range(1, 3)", m: "range(0, 2)"}, do: "left -= n + m\\nbasket += n"}
          g.enough: {when: n + m > left}
  - id: how-looked
    clauses: [g.look]
    asks: how often is it looked at
    readings:
      - {id: once, title: once, changes: {}}
      - {id: twice, title: twice, changes: {g.look: {do: looked = 2}}}
  - id: what-counts
    clauses: [g.worth]
    asks: what counts
    readings:
      - {id: basket, title: what is in the basket, changes: {}}
      - {id: tree, title: what hangs, changes: {g.worth: {value: left}}}
"""


def test_versions_are_planned_with_what_goes_with_them(tmp_path: Path) -> None:
    """A parameter that one version has is known to its own restrictions; terms follow readings."""
    (tmp_path / "game.yaml").write_text(GROVE, "utf-8")

    differ, compared, alone = told_apart(
        Workbench(str(tmp_path), Settings()), "printed", most=5_000, derived=True)

    assert differ == []
    assert alone == 0
    assert compared > 10


FERRY = """
game: ferry
title: Windows and terms of which readings have others
players: {count: 3}
state:
  active: {type: player, start: 2}
  owner: {type: player, start: 1}
  aboard: {type: players, start: none}
  fare: {type: "int 0..4", start: 0, per: player}
  bell: {type: "int 0..3", start: 0}
steps: {game: {}, land: {}}
windows:
  pier: {who: players, order: unstated, each: rounds, done: stay ashore}
  bridge: {by: active, done: steer on}
  cabin: {who: "{active, owner}", order: clockwise, from: owner, each: until_pass, depth: 2}
start: game
clauses:
  - {id: f.play, kind: order, says: the ferry goes to and fro, on: game, do: "pier()\\nbridge()"}
  - {id: f.land, kind: order, says: then it lands, on: game, after: [f.play],
     do: "land()\\nend_game()"}
  - {id: f.most, kind: define, says: who has paid much, define: paid, params: {p: player},
     value: "fare[p] > 1"}
  - {id: f.board, kind: permit, says: anybody may go aboard, on: pier, option: board,
     when: actor not in aboard, do: "aboard |= {actor}"}
  - {id: f.full, kind: forbid, says: two are enough, on: pier.board, when: size(aboard) > 1}
  - {id: f.ring, kind: permit, says: the bell is rung, on: bridge, option: ring,
     when: bell < 2, do: "bell += 1\\ncabin()"}
  - {id: f.must, kind: require, says: it is rung at first, on: bridge, must: ring, when: bell == 0}
  - {id: f.pay, kind: permit, says: the fare is paid in the cabin, on: cabin, option: pay,
     when: not paid(actor), with: {n: "range(1, 3)"}, do: "fare[actor] += n"}
  - {id: f.call, kind: permit, says: the others are called in, on: cabin, option: call,
     when: bell < 3 and paid(actor), do: "bell += 1\\ncabin()"}
  - {id: f.end, kind: outcome, says: who has paid has won, on: land,
     do: "win({p for p in players if paid(p)})"}
  - {id: f.bell, kind: effect, says: at the third bell all go ashore, whenever: bell == 3,
     fires: once per change, do: aboard = aboard - players}
open_points:
  - id: who-boards
    clauses: [f.board]
    asks: who goes aboard
    readings:
      - {id: all, title: all who like, changes: {}}
      - {id: in-turn, title: one after the other,
         changes: {"window:pier": {order: clockwise, from: next_player(active)}}}
      - {id: back, title: once and the other way round,
         changes: {"window:pier": {order: counterclockwise, each: once}}}
      - {id: once, title: each once, changes: {"window:pier": {each: once}}}
      - {id: others, title: the others only, changes: {"window:pier": {who: others(active)}}}
  - id: who-steers
    clauses: [f.ring]
    asks: who steers
    readings:
      - {id: mate, title: who is on duty, changes: {}}
      - {id: owner, title: the owner, changes: {"window:bridge": {by: owner}}}
      - {id: long, title: as long as he likes, changes: {"window:bridge": {repeat: true}}}
      - {id: no-way-out, title: he has to, changes: {"window:bridge": {forced: true}}}
  - id: what-is-much
    clauses: [f.pay, f.most]
    asks: what is much
    readings:
      - {id: more-than-one, title: more than one, changes: {}}
      - id: most
        title: more than the others
        changes: {f.most: {value: "fare[p] > dearest(p)"}}
        add:
          - {id: f.dearest, kind: define, says: what others have paid, define: dearest,
             params: {p: player}, value: "max(fare[q] for q in others(p))"}
      - id: nothing
        title: nobody speaks of that
        drop: [f.most, f.call]
        changes: {f.pay: {when: "fare[actor] < 2"}, f.end: {do: win(aboard)}}
  - id: who-pays
    clauses: [f.pay]
    asks: who is asked in the cabin
    readings:
      - {id: both, title: both until they stop, changes: {}}
      - {id: mate-first, title: who is on duty first,
         changes: {"window:cabin": {from: active, each: rounds}}}
      - id: all
        title: all, with a tip
        changes:
          window:cabin: {who: players, order: unstated, each: once}
          f.pay: {do: "fare[actor] += n\\nfare[actor] = min(fare[actor] + 1, 4)"}
"""


def test_versions_of_windows_and_terms_are_told_apart_alike(tmp_path: Path) -> None:
    """Who is asked, how often and in what order, and which terms there are, follow the readings."""
    (tmp_path / "game.yaml").write_text(FERRY, "utf-8")
    bench = Workbench(str(tmp_path), Settings())

    differ, compared, alone = told_apart(bench, "printed", most=5_000, runs=1, derived=True)

    assert differ == []
    assert compared > 40
    assert alone == 0


def test_players_are_asked_in_one_order_only_where_that_is_enough(tmp_path: Path) -> None:
    """It depends on the version of the window that is on, and both run the same code."""
    (tmp_path / "game.yaml").write_text(FERRY, "utf-8")
    bench = Workbench(str(tmp_path), Settings())

    base, once = (bench.instance("printed", rulings=each).member
                  for each in ({}, {"who-boards": "once"}))

    assert base is not None
    assert once is not None
    assert base.one_order == {"pier"}
    assert not once.one_order
    assert base.whole.engine is not None
    assert once.engine is not None
    assert base.whole.engine.module is once.engine.module


def test_a_term_that_a_game_lacks_is_an_error_in_it(tmp_path: Path) -> None:
    """That another game of the family defines it does not help."""
    (tmp_path / "game.yaml").write_text(FERRY, "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    wrong = {"changes": {"f.end": {"do": "win({p for p in players if dearest(p) > 1})"}}}

    games = [bench.game("printed", rulings=each) for each in ({}, {"what-is-much": "most"})]
    united = United(games[0])
    assert united.add(games[1])
    compile_game(united.game())
    assert united.add(bench.game("printed", changes=(wrong,)))

    with pytest.raises(SpecErrors):
        compile_game(united.game())


def test_games_of_a_family_share_their_code(orchard: Workbench) -> None:
    """Nothing is compiled for a game that is only compared."""
    base = orchard.instance("printed")
    other = orchard.instance("printed", changes=({"drop": ["o.wait"]},))

    one, two = side_by_side(base, other)

    assert one.engine is not None
    assert two.engine is not None
    assert one.engine.module is two.engine.module
    assert "compiled" not in vars(other)


def test_a_game_with_two_readings_at_once_is_not_of_the_family(orchard: Workbench) -> None:
    """The versions of two readings are planned as never on together."""
    both = orchard.instance("printed", rulings={"value": "basket", "wasps": "hanging"})

    assert both.member is None
    assert both.program.engine is not None


def test_a_version_that_comes_in_another_order_is_another_version(orchard: Workbench) -> None:
    """A configuration is given for games whose clauses come in the order of the versions."""
    base = orchard.game("printed")
    turned = orchard.game("printed", rulings={"twice": "first"})
    united = United(base)
    assert united.configuration(turned) is None

    assert united.add(turned)

    assert united.configuration(turned) is not None
    assert [clause.id for clause in united.groups["on", "weigh"]] == [
        "o.double", "o.in", "o.between", "o.double", "o.smoke", "o.clean"]


def test_what_is_read_where_depends_on_the_features() -> None:
    """An expression reads in a configuration what it reads when the features are numbers."""
    on, x, y = Feature(0), Load("x"), Load("y")
    arrays = frozenset({"x"})

    assert reads_if(Binary("+", x, y), arrays) == TRUE
    assert reads_if(y, arrays) == FALSE
    assert reads_if(Binary("and", Binary("==", x, Const(1)), on), arrays) == on
    assert reads_if(Cond(on, x, y), arrays) == on
    assert reads_if(Cond(on, y, x), arrays) == negate(on)
    assert reads_if(Cond(y, y, x), arrays) == TRUE
