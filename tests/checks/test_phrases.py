"""Phrases that do nothing are found one by one; those that only look so are left alone."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.clauses import deletion as check_deletion
from ruleproof.checker.clauses import phrases as check_phrases
from ruleproof.checker.findings.results import Finding, Report
from ruleproof.checker.judge import decide
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.model.game.game import Clause, Game, Settings
from ruleproof.model.game.phrases import Path as Path_
from ruleproof.model.game.phrases import (
    Phrase,
    at,
    only,
    phrases_of,
    rewritten,
    without,
)
from ruleproof.model.game.probes import MARK, probed
from ruleproof.model.game.syntax import Assign, ForEach, IfThen, Name, Stmt, Truth, While
from ruleproof.model.game.unparse import unparse
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.solver import equality
from ruleproof.model.solver.equality import proved_same
from ruleproof.reports.blocks.finding import encoded
from ruleproof.tests.games.test_laws import GAMES, compiled_from
from ruleproof.tests.support.games import often
from ruleproof.tests.support.seeding import MODE, write


def bench(folder: Path, base: str, clause: str, **fields: object) -> Workbench:
    """Load a game with one clause changed."""
    entry = {"base": base, "change": {"changes": {clause: fields}}}
    return Workbench(write(entry, folder / "game"), Settings(variants=(MODE,)))


def found(folder: Path, base: str, clause: str, **fields: object) -> list[Finding]:
    """Look into the phrases of one changed clause."""
    made = bench(folder, base, clause, **fields)
    scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_phrases.phrases(
        audit, check_phrases.Probes(audit.printed.game, [clause]), clause)
    return list(decide.findings(audit))


def of(game: Game, clause: str) -> tuple[Clause, tuple[Phrase, ...]]:
    """Return a clause of a game, and its phrases."""
    one = next(c for c in game.clauses if c.id == clause)
    return one, phrases_of(one)


def test_phrases_are_listed_in_the_order_of_the_text(tmp_path: Path) -> None:
    """What stands between `and` and `or`, and in filters, each with what leaves it out."""
    when = ("(card.worth == 2 or not size(stock) == 0) and "
            "any(c == card and coins[actor] > 0 for c in hand[actor])")
    clause, phrases = of(bench(tmp_path, "stall", "s.keep", when=when).game("printed"), "s.keep")

    assert [(p.text, p.neutral, p.alone) for p in phrases] == [
        ("card.worth == 2", False, False), ("not size(stock) == 0", False, False),
        ("any(c == card and coins[actor] > 0 for c in hand[actor])", True, False),
        ("c == card", True, False), ("coins[actor] > 0", True, False)]
    assert all(unparse(at(clause, p.path)) == p.text for p in phrases)


def test_leaving_a_phrase_out_leaves_the_rest(tmp_path: Path) -> None:
    """The clause without it, and with it alone, differ from the clause in its condition only."""
    made = bench(tmp_path, "stall", "s.must", when="coins[actor] > 0 and size(hand[actor]) == 2")
    clause, (first, second) = of(made.game("printed"), "s.must")
    when = [each.when for each in (without(clause, [first]), without(clause, [first, second]),
                                   only(clause, second))]

    assert [unparse(each) for each in when if each is not None] == [
        "True and size(hand[actor]) == 2", "True and True", "size(hand[actor]) == 2"]
    assert rewritten(clause, {("when",): lambda when: when}) == clause


@pytest.mark.parametrize("name", often(
    "edition-wars", of=GAMES))
def test_any_phrases_can_be_left_out_together(name: str) -> None:
    """In every game, also where one is inside of another or behind another condition."""
    game = compiled_from(GAMES[name]).game
    for clause in game.clauses:
        phrases = phrases_of(clause)
        for some in (phrases, *combinations(phrases, 2)):
            less = without(clause, some)
            (other,) = [c for c in probed(game, clause.id, some)[1].clauses if c.id == clause.id]
            outer = [p for p in some if not any(inside(p.path, q.path) for q in some)]

            assert without(clause, some[::-1]) == less
            assert all(at(less, p.path) == Truth(p.neutral, at(clause, p.path).at) for p in outer)
            assert without(clause, outer) == less
            assert unnoted(other) == less


def inside(path: Path_, other: Path_) -> bool:
    """Return whether one way leads into what another one leads to."""
    return len(path) > len(other) and path[:len(other)] == other


def unnoted(clause: Clause) -> Clause:
    """Take out of a clause what notes that a condition comes out otherwise."""
    def of_all(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(of_one(stmt) for stmt in body if not notes(stmt))

    def notes(stmt: Stmt) -> bool:
        match stmt:
            case IfThen(then=(Assign(target=Name(name=name)),)):
                return name == MARK
            case _:
                return False

    def of_one(stmt: Stmt) -> Stmt:
        match stmt:
            case IfThen(then=then, other=other):
                return replace(stmt, then=of_all(then), other=of_all(other))
            case ForEach(body=body) | While(body=body):
                return replace(stmt, body=of_all(body))
            case _:
                return stmt

    bodies = {name: replace(body, statements=of_all(body.statements))
              for name in ("do", "otherwise") if (body := getattr(clause, name)) is not None}
    return replace(clause, **bodies)


@pytest.mark.parametrize(("clause", "field", "text", "idle"), [
    ("s.must", "when", "any(size(hand[p]) >= 0 and p == actor for p in players)",
     {"any(size(hand[p]) >= 0 and p == actor for p in players)", "size(hand[p]) >= 0"}),
    ("s.stall", "do", ("if coins[active] >= 0 and size(stock) >= 0:\n  if size(stock) == 0:\n"
     "    coins[active] = 0\n  else:\n    for p in others(active):\n"
     "      if active in others(p):\n        coins[p] = 0"),
     {"coins[active] >= 0", "size(stock) >= 0", "active in others(p)"}),
])
def test_phrases_inside_of_others_are_looked_into(
    tmp_path: Path, clause: str, field: str, text: str, idle: set[str]
) -> None:
    """A filter inside of a condition, an `if` behind another one: those that do nothing show."""
    (finding,) = found(tmp_path, "stall", clause, **{field: text})

    assert idle <= set(finding.evidence.details["phrases"])


def test_questions_and_whose_turn_it_is_are_no_phrases(tmp_path: Path) -> None:
    """A player's answer is a choice, and `by` of an action is not a condition of the book."""
    do = 'if may(by=active, ask="Well?"):\n  coins[active] += 1'
    _, phrases = of(bench(tmp_path, "stall", "s.stall", do=do).game("printed"), "s.stall")

    assert phrases == ()


@pytest.mark.parametrize(("clause", "when", "method"), [
    ("s.must", "count(hand[actor], fruit.pear) == 2 and size(hand[actor]) >= 2", "proof"),
    ("s.must", "count(hand[actor], fruit.pear) == 2 or size(hand[actor]) > 4", "proof"),
    ("s.room", "size(hand[actor]) == hand_limit and size(hand[actor]) < 3", "proof"),
    ("s.room", "size(hand[actor]) == hand_limit or size(hand[actor]) == 3", "exhaustive"),
])
def test_a_phrase_that_does_nothing_is_named(
    tmp_path: Path, clause: str, when: str, method: str
) -> None:
    """What the rest of the condition implies is proved; what cannot come up is looked for."""
    (finding,) = found(tmp_path, "stall", clause, when=when)

    assert (finding.cls, finding.clauses) == ("inert-clause", (clause,))
    assert finding.evidence.method == method
    assert finding.evidence.details["suffices"] == [[]]
    assert all(f"`{each}`" in finding.title for each in finding.evidence.details["phrases"])


def test_phrases_that_stand_for_each_other_are_not_both_idle(tmp_path: Path) -> None:
    """Each can go as long as the other stays: the smallest sets that suffice are named."""
    when = "count(hand[actor], fruit.pear) == 2 and count(hand[actor], fruit.pear) > 1"
    (finding,) = found(tmp_path, "stall", "s.must", when=when)
    one, other = (f"count(hand[actor], fruit.pear) {rest}" for rest in ("== 2", "> 1"))

    assert finding.evidence.details["suffices"] == [[one], [other]]
    assert "it is enough to keep" in encoded(finding)[-1]


@pytest.mark.parametrize(("base", "clause", "when"), [
    ("stall", "s.must", "count(hand[actor], fruit.pear) == 2 and coins[actor] == 0"),
    ("stall", "s.last", None),
    ("stall", "s.tied", None),
    ("joust", "j.hit", None),
    ("joust", "j.wound", "outcome == hit and defender != none"),
    ("joust", "j.sword", "card == arm.sword and force == 2"),
])
def test_a_phrase_that_matters_or_protects_is_left_alone(
    tmp_path: Path, base: str, clause: str, when: str | None
) -> None:
    """Undone by a later clause, needed for what it overrides, or asking if a value is there."""
    fields = {} if when is None else {"when": when}

    assert found(tmp_path, base, clause, **fields) == []


def test_what_only_the_cards_make_true_is_left_alone(tmp_path: Path) -> None:
    """A sword stops no lance; that there is no third arm is no fault of the sentence."""
    assert found(tmp_path, "joust", "j.sword", when="card.force == 1 and card != arm.lance "
                 "and force == 2") == []


def test_machines_with_other_conditions_are_not_proved_the_same(tmp_path: Path) -> None:
    """The proof is of every state in range, and only of machines of one shape."""
    game = bench(tmp_path, "stall", "s.must").game("printed")
    _, (phrase,) = of(game, "s.must")
    one, two = (compile_game(each).machine for each in probed(game, "s.must", [phrase]))

    assert proved_same(one, one)
    assert not proved_same(one, two)
    assert not proved_same(one, compile_game(game).machine)


def test_a_proof_that_takes_too_large_formulas_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nothing is known; what takes no more than is granted is proved as before."""
    texts = [WALK.replace("CONDITION", each) for each in ("n > 1", "n > 1 and n >= worn - worn")]
    machines = []
    for number, text in enumerate(texts):
        (folder := tmp_path / str(number)).mkdir()
        (folder / "game.yaml").write_text(text, "utf-8")
        machines.append(compile_game(load_game(str(folder))).machine)

    assert proved_same(*machines)
    monkeypatch.setattr(equality, "MOST", 1)
    assert not proved_same(*machines)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Report]:
    """Return a game with a finding of three classes, and its whole report."""
    change = {
        "add": [{"id": "s.dear", "kind": "forbid", "says": "nothing dear is given away",
                 "on": "stall.give", "when": "card.worth == 2"}],
        "changes": {"s.sell": {"uses": ["purse"]},
                    "s.room": {"when": "size(hand[actor]) == 2 and size(hand[actor]) > 1"}}}
    source = write({"base": "stall", "change": change}, tmp_path_factory.mktemp("whole") / "game")
    return source, verify(source, Settings(variants=(MODE,)))


@pytest.mark.parametrize(("only", "skip"), [
    pytest.param(("undefined-term",), (), marks=pytest.mark.campaign),
    pytest.param(("inert-clause",), (), marks=pytest.mark.campaign),
    pytest.param(("redundant-clause", "ambiguity"), (), marks=pytest.mark.campaign),
    pytest.param((), ("inert-clause", "asymmetry", "dead-clause", "redundant-clause"),
                 marks=pytest.mark.campaign),
])
def test_leaving_checks_out_is_the_same_as_leaving_findings_out(
    whole: tuple[str, Report], only: tuple[str, ...], skip: tuple[str, ...]
) -> None:
    """A check that can report nothing that is wanted does not run; the findings are those."""
    source, report = whole
    part = verify(source, Settings(variants=(MODE,)), only=only, skip=skip)
    kept = [f for f in report.everything if (not only or f.cls in only) and f.cls not in skip]

    assert [(f.id, f.title) for f in part.everything] == [(f.id, f.title) for f in kept]
    assert {f.cls for f in report.everything} == {
        "undefined-term", "inert-clause", "redundant-clause"}
    assert any(each.why == "not asked for" for each in part.not_checked)


def test_a_forbidding_clause_names_the_smallest_set_that_covers_it(tmp_path: Path) -> None:
    """Two bans together cover a third one, which does nothing as long as both stand."""
    change = {"add": [
        {"id": "s.lone", "kind": "forbid", "says": "nobody gives his only fruit",
         "on": "stall.give", "when": "size(hand[actor]) == 1"},
        {"id": "s.pair", "kind": "forbid", "says": "nobody gives of two fruits",
         "on": "stall.give", "when": "size(hand[actor]) == 2"}]}
    source = write({"base": "stall", "change": change}, tmp_path / "game")
    made = Workbench(source, Settings(variants=(MODE,)))
    scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_deletion.without(audit, "s.keep")
    (finding,) = decide.findings(audit)

    assert finding.clauses == ("s.keep", "s.lone", "s.pair")
    assert "The 2 others named below rule out all that this one does" in finding.explanation


def test_phrases_of_a_reminder_are_not_looked_into(tmp_path: Path) -> None:
    """A ban that says again a part of another one is told so, and no condition of it is found."""
    change = {"add": [
        {"id": "s.few", "kind": "forbid", "says": "nobody gives of one or two fruits",
         "on": "stall.give", "when": "size(hand[actor]) <= 2"},
        {"id": "s.again", "kind": "forbid", "says": "nobody with a coin gives his only fruit",
         "on": "stall.give", "when": "size(hand[actor]) == 1 and coins[actor] > 0",
         "restates": ["s.few"]}]}
    source = write({"base": "stall", "change": change}, tmp_path / "game")
    made = Workbench(source, Settings(variants=(MODE,)))
    scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_phrases.phrases(audit, check_phrases.Probes(audit.printed.game, ["s.again"]), "s.again")
    assert not decide.findings(audit)
    assert check_deletion.AGAIN[2] in {each.what for each in audit.holds}

    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_deletion.without(audit, "s.again")
    check_phrases.run(audit)
    assert [f.clauses for f in decide.findings(audit) if "s.again" in f.clauses] == []
    assert "s.again" in {each.clause for each in audit.holds}


def test_a_phrase_that_a_reminder_says_again_is_no_finding(tmp_path: Path) -> None:
    """What a reminder bans is what the sentence does not offer: without it the phrase counts."""
    again = {"id": "s.again", "kind": "forbid", "says": "remember: nobody without a coin gives",
             "on": "stall.give", "when": "coins[actor] == 0"}

    def ids(restates: list[str]) -> list[tuple[str, ...]]:
        change = {"changes": {"s.give": {"when": "coins[actor] > 0"}},
                  "add": [{**again, "restates": restates}]}
        source = write({"base": "stall", "change": change}, tmp_path / f"game{len(restates)}")
        made = Workbench(source, Settings(variants=(MODE,)))
        scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
        audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
        check_phrases.phrases(audit, check_phrases.Probes(audit.printed.game, ["s.give"]), "s.give")
        return [f.clauses for f in decide.findings(audit)]

    assert ids([]) == [("s.give",)]
    assert ids(["s.give"]) == []


def test_a_requirement_that_always_holds_names_what_makes_it_true(tmp_path: Path) -> None:
    """The effect without which it would not hold is named beside it."""
    change = {"add": [
        {"id": "j.tidy", "kind": "require", "says": "after a clash no arm lies on the table",
         "on": "clash", "after": ["j.clear"], "ensure": "size(table) == 0"}]}
    source = write({"base": "joust", "change": change}, tmp_path / "game")
    made = Workbench(source, Settings(variants=(MODE,)))
    scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_deletion.without(audit, "j.tidy")
    (finding,) = decide.findings(audit)

    assert finding.clauses == ("j.tidy", "j.clear")
    assert "always so when it is asked for, by the other sentence" in finding.explanation


def test_a_requirement_that_only_the_encoding_could_break_is_no_finding(tmp_path: Path) -> None:
    """That a sentence sets what the requirement is measured by makes neither of them needless."""
    change = {
        "changes": {"j.guard": {"do": "before = hearts[next_player(defender)]\nguard()"}},
        "add": [{"id": "j.kept", "kind": "require", "says": "the other one loses no heart",
                 "on": "clash", "ensure": "hearts[next_player(defender)] == before"}]}
    state = {"state": {"before": {"type": "int 0..9", "start": 9, "internal": True}}}
    source = write({"base": "joust", "change": change, "sections": state}, tmp_path / "game")
    made = Workbench(source, Settings(variants=(MODE,)))
    scope = explore_scope(made, "printed", 20_000, None, lambda _: None)
    audit = Audit(made, scope.instance, [scope], 20_000, 0, Listener(), lambda _: True)
    check_deletion.without(audit, "j.kept")

    assert not decide.findings(audit)
    assert any("a check of the encoding" in each.what for each in audit.holds)


@pytest.mark.parametrize(("phrase", "finding"), [
    ("not size(stock) == 0", False), ("size(hand[actor]) > 0", True)])
def test_a_condition_that_another_ban_makes_needless_is_no_finding(
    phrase: str, tmp_path: Path, *, finding: bool
) -> None:
    """What a ban leaves allowed, and another sentence bans, is not what an editor would change."""
    when = f"size(hand[actor]) == hand_limit and {phrase}"

    assert bool(found(tmp_path, "stall", "s.room", when=when)) == finding


def test_a_clause_that_only_the_printed_size_needs_is_not_dead(tmp_path: Path) -> None:
    """In a scope with one pear nobody has two; at the printed size somebody does, now and then."""
    lone = {"about": "one pear", "cards": {"fruit": {"pear": 1, "plum": 3}}}
    sections = {"scopes": {"lone": lone}}
    source = write({"base": "stall", "sections": sections}, tmp_path / "game")
    report = verify(source, Settings())

    assert [f.id for f in report.everything if "s.must" in f.clauses] == []


WALK = """
game: walk
title: A walk
players: {min: 1, max: 2, default: 1}
constants: {far: {value: 5}}
state: {active: {type: player, start: 1}, n: {type: int 0..9}, worn: {type: int 0..9}}
steps: {game: {}, stride: {}, rest: {}}
windows: {way: {by: active, done: stay}}
variants: {long: {title: a long walk, constants: {far: 9}}}
start: game
clauses:
- {id: go, kind: order, says: two ways and a rest, on: game, do: "way()\\nway()\\nrest()\\nend_game()"}
- {id: on, kind: permit, says: walk, on: way, option: walk, with: {m: "range(0, 3)"}, do: "n += m\\nstride()"}
- {id: wear, kind: effect, says: it wears shoes down, on: stride, when: CONDITION, do: worn += 1}
- {id: spare, kind: effect, says: not in the wet, on: stride, when: n == 4, overrides: [wear], do: pass}
- {id: shoes, kind: effect, says: shoes are looked at, on: rest, do: n = worn}
- {id: any, kind: define, says: any ground wears down, define: ground, value: "True"}
"""  # noqa: E501


@pytest.mark.parametrize(("condition", "phrases"), [
    ("n > 1 and n < 9", ["n < 9"]),  # nobody walks so far in any mode
    ("n > 1 and (variant(long) or far == 5)", []),
    ("n > 1 and (variant(long) or n < 9)", ["variant(long)"]),
    ("n > 1 and (not variant(long) or n > 2)", []),
    ("n > 1 and player_count == 1", []),
    ("n > 1 and ground", []),  # another sentence says so
])
def test_a_condition_that_counts_in_a_mode_or_with_more_players_is_no_finding(
    tmp_path: Path, condition: str, phrases: list[str]
) -> None:
    """What does nothing in the game as chosen, and something in another one, is left alone."""
    (tmp_path / "game.yaml").write_text(WALK.replace("CONDITION", condition), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))

    assert [f.evidence.details["phrases"] for f in report.everything if "wear" in f.clauses] == [
        phrases] * bool(phrases)


@pytest.mark.parametrize("otherwise", ["worn += 1", "pass"])
def test_a_condition_of_a_sentence_that_a_mode_changes_is_looked_at_where_it_is(
    tmp_path: Path, otherwise: str
) -> None:
    """What a mode puts in its place has not the same parts; that costs the finding nothing."""
    body = '"worn += 1\\nif n < 9:\\n  worn += 1"'
    (tmp_path / "game.yaml").write_text(WALK.replace("CONDITION", "n > 1").replace(
        "do: worn += 1", f"do: {body}").replace(
        "constants: {far: 9}", f"changes: {{wear: {{do: {otherwise}}}}}"), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))

    assert [f.evidence.details["phrases"] for f in report.everything if "wear" in f.clauses] == [
        ["n < 9"]]
    assert not [each for each in report.not_checked if "internal error" in each.why]


@pytest.mark.parametrize(("condition", "told"), [
    ("n > 1", ""), ("n > 1 and n != 3 + worn", "not checked")])
def test_what_never_takes_the_place_of_anything_is_not_called_idle(
    tmp_path: Path, condition: str, told: str
) -> None:
    """A sentence that only puts another one off is tried where that one would have acted."""
    (tmp_path / "game.yaml").write_text(WALK.replace("CONDITION", condition), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))
    lines = {each.what: each.why for each in report.not_checked}

    assert not [f.id for f in report.everything if "spare" in f.clauses]
    assert ("whether spare does anything" in lines) == bool(told)
    assert not told or "takes the place of wear" in lines["whether spare does anything"]


@pytest.mark.parametrize(("body", "idle"), [("n += far - 5", False), ("n += far - far", True)])
def test_a_sentence_that_runs_and_does_nothing_is_tried_in_every_mode(
    tmp_path: Path, body: str, idle: bool  # noqa: FBT001
) -> None:
    """That it runs in the game as chosen does not say that it does nothing in another one."""
    spec = WALK.replace("CONDITION", "n > 1").replace("do: n = worn}", f"do: {body}}}")
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))

    assert any("shoes" in f.clauses for f in report.everything) == idle


SHOP = """
game: shop
title: Shop
players: {count: 1}
families: {ware: {}}
cards: {ware: {ball: {copies: 2}, kite: {copies: 2}}}
zones:
  shelf: {holds: ware, kind: bag}
  bag: {holds: ware, kind: bag, starts: all}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}}
windows: {w: {by: active, done: go}}
start: game
clauses:
- {id: go, kind: order, says: twice, on: game, do: "w()\\nn += 1\\nw()\\nend_game()"}
- id: give
  kind: permit
  says: two are given away
  on: w
  option: give
  when: n < 2
  do: |
    two = choose_cards(bag, by=active, exactly=2, ask="Which?")
    move_all(two, bag, shelf)
RULED
"""


@pytest.mark.parametrize("ruling", ["as-many", "not-allowed"])
def test_what_a_ruling_adds_to_a_condition_is_no_phrase_of_the_sentence(
    tmp_path: Path, ruling: str
) -> None:
    """That there are enough cards is what the ruling says; the sentence's own condition is idle."""
    ruled = f"rulings: [{{point: too-few/give, reading: {ruling}, why: ours}}]"
    (tmp_path / "game.yaml").write_text(SHOP.replace("RULED", ruled), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))

    assert [f.evidence.details.get("phrases") for f in report.everything
            if "give" in f.clauses] == [["n < 2"]]
