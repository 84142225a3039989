"""Titles and first paragraphs are sentences about the game, whatever the kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from ruleproof.checker.findings.evidence import identity_of
from ruleproof.checker.findings.observations import AS_POSSIBLE, OTHERWISE, Observation, Question
from ruleproof.checker.findings.results import CLASSES, PUBLIC, Evidence, Identity
from ruleproof.checker.findings.titles import PARAGRAPHS, TITLES, paragraph, title
from ruleproof.checker.findings.words import Words
from ruleproof.checker.judge.gathered import gathered
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.duties import DEFECTS, Kind
from ruleproof.tests.support.games import loaded as loaded_game
from ruleproof.tests.support.games import often
from ruleproof.tests.support.places import TESTS

CODE = re.compile(r"[`_=<>\[\]{}|]|\.\.|\b\w+\.\w+\b|\w\(")
"""What a sentence about the table does not hold: code, ranges, ids with dots, calls."""
FACTS = {
    "about": "draw_pile", "then": AS_POSSIBLE, "barred": True, "ask": "Which card?", "who": True,
    "moves": 2, "on": 3, "of": 40, "first": 4, "last": 9, "bars": True, "always": False,
    "games": 2, "plays": 60, "number": 2, "suffices": False, "counts": "3 players",
    "other": "pile", "move": 2, "deed": "player 2 sells a plum", "end": False, "low": 2, "high": 4,
    "table": [["the word", "what is wrong"], ["“pile”", "it is explained and never used"]],
}
"""Facts of every kind."""


@pytest.fixture(scope="module")
def game() -> Game:
    """Return a game with names of all sorts."""
    return load_game(str(TESTS / "specs" / "stall"))


def observed(kind: str, **facts: object) -> Observation:
    """Make an observation of a kind, about two clauses."""
    cls = {str(name): cls for name, cls in DEFECTS.items()}.get(kind, "inert-clause")
    pair = "s.limit+s.must" if kind in ("no-move", "pair") else "s.limit"
    question = Question("p", kind, "may one sell a plum", "a", (("a", "yes"), ("b", "no")))
    return Observation(
        Identity(cls if cls in CLASSES else "gap", pair, kind, "plum"), ("s.limit", "s.must"),
        Evidence("witness", "exhaustive", "tiny_scope", replayed=True, details={"loop": 2}), PUBLIC,
        said={**FACTS, **facts}, question=question if kind not in DEFECTS else None)


@pytest.mark.parametrize("kind", sorted({*TITLES, *PARAGRAPHS}))
def test_sentences_hold_no_code(kind: str, game: Game) -> None:
    """No title or first paragraph holds an expression, a range, an id or a name of the spec."""
    words = Words(game)
    for one in (
        observed(kind), observed(kind, suffices=True, number=1),
        observed(kind, games=0, then=OTHERWISE),
        observed(kind, proved=True, always=True, then="point=reading", bars=False, deed=""),
    ):
        for text in (title(words, one), paragraph(words, one)):
            assert not CODE.search(text), text
            assert "tiny" not in text
            assert "  " not in text
            assert text[:1] == text[:1].upper()


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - {"no-room"}))
def test_every_obligation_has_a_title_of_its_own(kind: str, game: Game) -> None:
    """What is asked is said for each kind, after what the sentence says."""
    text = title(Words(game), observed(kind))

    assert re.match("No hand is ever larger than two: ", text)
    assert sum(text == title(Words(game), observed(other)) for other in DEFECTS
               if other != "no-room") == 1


def test_a_place_is_called_as_the_book_calls_it(game: Game) -> None:
    """A zone whose name no sentence uses is not named."""
    words = Words(game)

    ends = [title(words, observed("nothing-to-draw", about=name)) for name in ("stock", "a_zone")]

    assert ends[0].endswith(": what if the stock is empty?")
    assert ends[1].endswith(": what if the deck is empty?")


RIDDLES = re.compile(
    r"never happens|see to this|come to that|breaks this|in play:|without any effect|"
    r"as much as possible|otherwise|in any case|is meant by|gives way if|this is so|ruled? out|"
    r"is not reached|nobody can avoid|comes up in play|not always|way out", re.IGNORECASE)
"""What readers did not understand at once."""


@pytest.mark.parametrize("kind", sorted({*TITLES, *PARAGRAPHS} - {"no-move"}))
def test_sentences_are_no_riddles(kind: str, game: Game) -> None:
    """No title or first paragraph has a phrase that readers had to read twice."""
    words = Words(game)

    for facts in ({}, {"always": True, "bars": False}, {"suffices": True}, {"counts": ""}):
        one = observed(kind, **facts)
        assert not RIDDLES.search(title(words, one) + paragraph(words, one))


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - {"no-room"}))
def test_what_is_done_instead_is_said(kind: str, game: Game) -> None:
    """Where something cannot be done, the first paragraph says what was done in the games."""
    text = paragraph(Words(game), observed(kind, then=AS_POSSIBLE))

    assert re.search(r"In the games played here (\w+ ){2,}", text)

def test_what_is_never_true_names_no_players(game: Game) -> None:
    """With how many players a statement fails is told where it is true with others."""
    never = observed("number", counts="2 to 4 players in the mode “long”", everywhere=True,
                     mode=" in the mode “long”")

    assert title(Words(game), never).startswith("Not true in the mode “long”: ")
    assert "players" not in title(Words(game), never)


@pytest.mark.parametrize(("counts", "where", "told"), [
    ("3 players", "with 3 players", ""), ("2 to 4 players", "with 2 to 4 players", ""),
    ("2, 4 and 6 players", "with some numbers of players", "It fails with 2, 4 and 6 players.")])
def test_numbers_of_players_fit_a_title(counts: str, where: str, told: str, game: Game) -> None:
    """A list of them stands in the paragraph, so that the title is read at once."""
    one = observed("number", counts=counts)

    assert title(Words(game), one).startswith(f"Not true {where}: ")
    assert paragraph(Words(game), one) == told



@pytest.mark.parametrize(("node", "says"), [("game over", "is over"), ("turn", "goes on")])
def test_no_game_goes_on_that_is_over(node: str, says: str, game: Game) -> None:
    """Where the game has ended at what cannot be done, as at a tie, it is not said to go on."""
    one = observed("tie", then=AS_POSSIBLE)
    one = replace(one, evidence=replace(one.evidence, position={"node": node, "state": {}}))

    assert says in paragraph(Words(game), one)
    assert ("goes on" in paragraph(Words(game), one)) == (node != "game over")


@pytest.mark.parametrize("kind", sorted({*TITLES, *PARAGRAPHS}))
def test_a_title_asks_once_and_asks_last(kind: str, game: Game) -> None:
    """A title has at most one question, which ends it or comes before what is to be chosen from."""
    text = title(Words(game), observed(kind))

    assert text.count("?") <= 1
    assert "?" not in text or text.endswith(("?", "?”")) or "? (1) " in text


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - {"no-room"}))
def test_what_only_a_body_names_is_not_named(kind: str, game: Game) -> None:
    """A local name that happens to be a word of some sentence stands in no title."""
    text = title(Words(game), observed(kind, about="larger"))

    assert not re.search(r"(the|no|less) larger", text)


@pytest.mark.parametrize(("statement", "least", "ends"), [
    ("health -= 1", 0, "what if none of the health is left?"),
    ("health -= 1", 1, "what if that takes away more than is left of the health?"),
    ("health -= 2", 0, "what if that takes away more than is left of the health?"),
    ("health += 2", 0, "what if that gives more health than allowed?"),
    ("health = 9", 0, "what if the health comes to less than zero, or to too much?"),
])
def test_a_number_that_leaves_its_range_says_which_way(
    statement: str, least: int, ends: str, tmp_path: Path
) -> None:
    """Whether there is too little, nothing or too much is read from statement and range."""
    (tmp_path / "game.yaml").write_text(
        WOUND.replace("STATEMENT", statement).replace("0..3", f"{least}..3"), "utf-8")
    loaded = compile_game(load_game(str(tmp_path)))
    (duty,) = (each for each in loaded.machine.obligations if each.kind == "out-of-range")

    assert title(Words(loaded.game), Observation(
        identity_of(duty), ("hurts",), Evidence("witness", "exhaustive", "s", replayed=True),
        PUBLIC, said={"about": "health"})).endswith(f": {ends}")


@pytest.mark.parametrize(("called", "ends"), [
    ("the weight of a penguin", "what is the weight of a penguin?"),
    ("weight", "what is that, if nothing in the game tells?")])
def test_what_nothing_holds_is_asked_for_by_its_name(
    called: str, ends: str, game: Game
) -> None:
    """Of what is outside the game the title says what that is, if the spec says it in words."""
    assert title(Words(game), observed("outside", about=called)).endswith(f": {ends}")


def test_a_deck_and_what_feeds_it_are_both_named(tmp_path: Path) -> None:
    """Where the discards are empty, too, the title says so; where they are not, it does not."""
    (tmp_path / "game.yaml").write_text(FED, "utf-8")
    words = Words(load_game(str(tmp_path)))
    ends = [
        title(words, Observation(
            Identity("undefined-operation", "draws", "nothing-to-draw"), ("draws",),
            Evidence("witness", "exhaustive", "s", replayed=True,
                     position={"state": {"action_deck": {}, "discards": {"club": left}}}),
            PUBLIC, said={"about": "action_deck"}))
        for left in (0, 1)]

    assert [end.partition(": ")[2] for end in ends] == [
        "what if the Action Deck and the discards are both empty?",
        "what if the Action Deck is empty?"]


@pytest.mark.parametrize(("name", "ends"), [
    ("pearls", "the pearls are empty?"), ("compass", "the compass is empty?")])
def test_several_things_are_empty(tmp_path: Path, name: str, ends: str) -> None:
    """A place with the name of what lies there takes the verb of several."""
    (tmp_path / "game.yaml").write_text(re.sub("[Aa]ction[ _][Dd]eck", name, FED), "utf-8")
    one = observed("nothing-to-draw", about=name)

    assert title(Words(load_game(str(tmp_path))), one).endswith(f": what if {ends}")


@pytest.mark.parametrize(("hers", "ends"), [
    (0, "what if the deck and the discards are both empty?"), (1, "what if the deck is empty?")])
def test_the_discards_of_others_do_not_count(tmp_path: Path, hers: int, ends: str) -> None:
    """Of decks that each player has it is told whether the discards beside the empty one are."""
    (tmp_path / "game.yaml").write_text(FED_EACH, "utf-8")
    words = Words(load_game(str(tmp_path)))
    one = Observation(
        Identity("undefined-operation", "draws", "nothing-to-draw"), ("draws",),
        Evidence("witness", "exhaustive", "s", replayed=True, position={"state": {
            "deck": {"player 1": {"club": 1}, "player 2": {}},
            "discards": {"player 1": {"club": 1}, "player 2": {"club": hers}}}}),
        PUBLIC, said={"about": "deck"})

    assert title(words, one).partition(": ")[2] == ends


WOUND = """
game: wound
title: Wound
players: {count: 2}
state: {health: {type: int 0..3, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: hurts, kind: effect, says: a wound changes the health, on: game, do: "STATEMENT"}
"""


FED = """
game: fed
title: Fed
players: {count: 2}
families: {f: {}}
cards: {f: {club: {copies: 2}}}
zones:
  action_deck: {holds: f, kind: deck, starts: all, seen_by: none}
  discards: {holds: f, kind: bag}
steps: {game: {}}
start: game
clauses:
- {id: draws, kind: effect, says: a player draws from the Action Deck, on: game,
   do: "draw(1, action_deck, discards)"}
- {id: feeds, kind: effect, says: the discards are shuffled when it is used up,
   whenever: size(action_deck) == 0, do: "shuffle_into(discards, action_deck)"}
"""


FED_EACH = """
game: fed-each
title: Fed Each
players: {count: 2}
families: {f: {}}
cards: {f: {club: {copies: 2}}}
zones:
  deck: {holds: f, kind: deck, per: player, seen_by: none}
  discards: {holds: f, kind: bag, per: player}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: draws, kind: effect, says: a player draws from the deck, on: game,
   do: "draw(1, deck[active], discards[active])"}
- {id: feeds, kind: effect, says: the discards are shuffled when it is used up,
   whenever: "size(deck[active]) == 0", do: "shuffle_into(discards[active], deck[active])"}
"""


@pytest.mark.parametrize(("others", "assumed", "ends"), [
    (1, "[]", ""), (5, "[]", " (as with Bomb)"), (5, "[deed]", " (as with Bomb)"),
    (5, "[name]", ""), (5, "all", "")])
def test_a_kind_of_card_is_named_only_if_few_cards_are_of_it(
    others: int, assumed: str, ends: str, tmp_path: Path
) -> None:
    """A clause that tells cards apart names those it is about, if these are few and printed."""
    more = "".join(f", c{i}: {{deed: other, copies: 1}}" for i in range(others))
    (tmp_path / "game.yaml").write_text(DEEDS.replace("MORE", more).replace(
        "copies: 1}", f"copies: 1, assumed: {assumed}}}", 1), "utf-8")
    loaded = compile_game(load_game(str(tmp_path)))
    (duty,) = (each for each in loaded.machine.obligations if each.kind == "out-of-range")

    assert Words(loaded.game).owes(identity_of(duty)) == f"a card does what it says{ends}"


DEEDS = """
game: deeds
title: Deeds
players: {count: 2}
enums: {what: [blast, other]}
families: {f: {attributes: {deed: what}}}
cards: {f: {bomb: {name: Bomb, deed: blast, copies: 1}MORE}}
zones: {deck: {holds: f, kind: deck, starts: all, seen_by: none}}
state: {health: {type: int 0..3, start: 1}, top: {type: what, start: blast}}
steps: {game: {}}
start: game
clauses:
- {id: acts, kind: effect, says: a card does what it says, on: game,
   do: "if top == blast:\\n  health -= 2"}
"""


@pytest.mark.parametrize(("domain", "ends"), [
    ("(c for c in hand[active] if c != this)", "what if there is no card to choose?"),
    ("snack", "what if there is no card to choose?"),
    ("(p for p in others(active) if size(hand[p]) > 0)", "what if there is no guest to choose?"),
    ("range(0, size(hand[active]))", "what if there is nothing to choose?")])
def test_what_is_not_there_to_choose_is_named(tmp_path: Path, domain: str, ends: str) -> None:
    """Cards and players are; of what else may be chosen it is said that there is nothing."""
    spec = {
        "game": "tea", "title": "Tea", "players": {"count": 2, "called": "guest"},
        "families": {"snack": {"attributes": {"v": "int 0..9"}}},
        "cards": {"snack": {"bun": {"copies": 1}}},
        "zones": {"hand": {"holds": "snack", "kind": "bag", "per": "player"}},
        "state": {"active": {"type": "player", "start": 1}, "this": {"type": "card snack?"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "eat", "kind": "effect", "says": "one is chosen", "on": "game",
                     "do": f"x = choose({domain}, by=active)"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    loaded = load_game(str(tmp_path))
    (duty,) = (each for each in compile_game(loaded).machine.obligations
               if each.kind == "no-option")
    one = observed("no-option")

    assert title(Words(loaded), replace(one, identity=identity_of(duty))).endswith(ends)


@pytest.mark.parametrize(("bound", "ends"), [
    ("n <= 2", "what if another rule leads to more?"),
    ("all(size(hand[p]) >= 2 for p in players)", "what if another rule leads to less?"),
    ("n != 2", "what if another rule leads to just that?")])
def test_a_limit_asks_for_what_it_excludes(tmp_path: Path, bound: str, ends: str) -> None:
    """A bound of numbers is asked about as more or less, what else is not to be as just that."""
    (tmp_path / "game.yaml").write_text(LIMITED.replace("BOUND", bound), "utf-8")
    one = observed("limit-at-end")

    assert title(Words(load_game(str(tmp_path))), replace(one, identity=Identity(
        "limit-broken", "bound", "limit-at-end"))) == f"So many are allowed: {ends}"


@pytest.mark.parametrize(("do", "ends"), [
    ("win(only(argmax(n + 0 for p in players)))", "who wins if several are equal in that?"),
    ("n = 1", "what if several are equal?")])
def test_a_tie_for_the_victory_asks_who_wins(tmp_path: Path, do: str, ends: str) -> None:
    """It is asked who wins where the sentence says who has won."""
    (tmp_path / "game.yaml").write_text(LIMITED.replace("BOUND", "n <= 2").replace(
        "end_game()", do), "utf-8")
    one = replace(observed("tie", about=""), identity=Identity("unresolved-tie", "acts", "tie"))

    assert title(Words(load_game(str(tmp_path))), one) == f"A thing is done: {ends}"


@pytest.mark.parametrize(("do", "asks"), [
    ("out = only(argmin(v[p] for p in players))\nwin(only(argmax(v[p] for p in others(out))))",
     ["what if several are equal?", "who wins if several are equal in that?"]),
    ("best = only(argmax(v[p] for p in players))\nwin(best)",
     ["who wins if several are equal in that?"]),
    ("best = only(argmax(v[p] for p in players))\nwin({best})",
     ["who wins if several are equal in that?"])])
def test_each_tie_of_a_sentence_asks_what_is_left_open_there(
    tmp_path: Path, do: str, asks: list[str]
) -> None:
    """Who wins is asked only where the winner is picked; of another tie, what holds then."""
    (tmp_path / "game.yaml").write_text(f"""
game: ties
title: Ties
players: {{count: 3}}
state: {{v: {{type: int 0..2, per: player}}, first: {{type: player, start: 1}}}}
steps: {{game: {{}}}}
start: game
clauses:
- {{id: roll, kind: effect, says: chance gives each a number, on: game,
   do: "for p in clockwise(first):\\n  x = roll(0, 2)\\n  v[p] = x"}}
- {{id: end, kind: outcome, says: then it ends, on: game, after: [roll], do: {json.dumps(do)}}}
""", "utf-8")
    report = verify(str(tmp_path), Settings(), only=("unresolved-tie",))

    assert sorted(one.title for one in report.everything) == [
        f"Then it ends: {each}" for each in sorted(asks)]


@pytest.mark.parametrize(("winner", "done"), [
    ("", "nobody wins"), ("player 1", "the rest of the sentence is left out")])
def test_where_nobody_has_won_it_is_said_so(tmp_path: Path, winner: str, done: str) -> None:
    """Of a game that is over with the victory undecided it is told that nobody wins."""
    (tmp_path / "game.yaml").write_text(LIMITED.replace("BOUND", "n <= 2").replace(
        "end_game()", "win(only(argmax(n + 0 for p in players)))"), "utf-8")
    one = replace(observed("tie", then=AS_POSSIBLE),
                  identity=Identity("unresolved-tie", "acts", "tie"))
    one = replace(one, evidence=replace(one.evidence, position={
        "node": "game over",
        "state": {"winners": {each: each == winner for each in ("player 1", "player 2")}}}))

    assert f"{done}, and the game is over" in paragraph(Words(load_game(str(tmp_path))), one)


LIMITED = """
game: limited
title: Limited
players: {count: 2}
families: {f: {}}
cards: {f: {club: {copies: 2}}}
zones: {hand: {holds: f, kind: bag, per: player}}
state: {n: {type: int 0..3, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: acts, kind: effect, says: a thing is done, on: game, do: "end_game()"}
- {id: bound, kind: limit, says: so many are allowed, on: game, ensure: "BOUND"}
"""


NO_SUBJECT = re.compile(
    r"(and|or|but|it(?! is (?:\w+ed|known|the)\b)|they|this|these|those(?!.* whose)|if that|"
    r"for that|that is|draws)\b")


@pytest.mark.parametrize("name", often("gamers-vs-evil", "edition-wars"))
def test_a_paraphrase_is_understood_alone(name: str) -> None:
    """Titles are made of paraphrases: none hangs on the sentence before it for its subject."""
    assert [clause.id for clause in loaded_game(name).clauses
            if clause.kind != "flavour" and NO_SUBJECT.match(clause.says)] == []


def test_doubtful_words_stand_with_sentences_of_theirs(game: Game) -> None:
    """The table of words quotes at most two sentences for each, and the title names up to six."""
    some = [Observation(Identity("undefined-term", kind="unused", place=word),
                        ("s.limit", "s.most", "s.last"),
                        Evidence("data", "exhaustive", "printed", replayed=False), PUBLIC)
            for word in "abcdef"]
    (one,) = gathered(Words(game), some)
    head, *rows = one.said["table"]

    assert len(head) == 3
    assert [row[2].count("; ") for row in rows] == [1] * 6
    assert rows[0][2].startswith("no hand is ever larger than two")
    assert title(Words(game), one).endswith("“d”, “e”, “f”")


def test_sentences_that_a_question_is_about_stay_out_of_the_table(game: Game) -> None:
    """What is told under a question is not told with the other sentences that are said again."""
    def again(*clauses: str) -> Observation:
        return Observation(
            Identity("redundant-clause", clauses[0], "clause"), clauses,
            Evidence("data", "exhaustive", "printed", replayed=False), PUBLIC)

    asks = replace(again("s.last", "s.most"), identity=Identity("ambiguity", kind="declared"),
                   question=Question("p", "declared", "which is it", "one", ()))
    some = [again("s.limit", "s.most"), again("s.most", "s.last"), again("s.last", "s.limit")]
    found = gathered(Words(game), [asks, *some])

    assert some[1] in found
    assert [one.identity.kind for one in found] == ["declared", "clause", "repeats"]


@pytest.mark.parametrize(("says", "asked"), [
    ("a card is laid", "A card is laid: only once, or as often as one likes?"),
    ("a player may lay a card of his hand before him, face up, if he has one left",
     ("Only once, or as often as one likes: a player may lay a card of his hand before him, face "
      "up, if he has one left?"))])
def test_a_short_question_stands_before_a_long_sentence(
    says: str, asked: str, game: Game
) -> None:
    """How often something may be done is asked first where its sentence is long."""
    one = replace(observed("silence"), question=Question(
        "how-often/x", "silence", f"{says}: only once, or as often as one likes", "a", ()))

    assert title(Words(game), one) == asked


@pytest.mark.parametrize(("cited", "others", "told"), [
    ("", "all", "In which order do the players act in “{}”?"),
    ("go", "all", "It goes on: in which order do the players act in “{}”?"),
    ("go", "", "It goes on: in which order do the players act?")])
def test_windows_that_no_clause_tells_apart_are_named(
    cited: str, others: str, told: str, tmp_path: Path
) -> None:
    """Two questions about orders of players do not have one title."""
    clause = f"clause: {cited}, " if cited else ""
    more = f"late_meal: {{who: players, {clause}title: the meal}}" if others else ""
    (tmp_path / "game.yaml").write_text(f"""
game: meals
title: Meals
players: {{count: 2}}
steps: {{game: {{}}}}
start: game
windows:
  first_meal: {{who: players, {clause}done: eat nothing}}
  {more}
clauses:
- {{id: go, kind: order, says: it goes on, on: game, do: first_meal()}}
""", "utf-8")
    words = Words(load_game(str(tmp_path)))
    made = [title(words, replace(
        observed("window"), identity=Identity("order-dependence", kind="window", place=name),
        clauses=(cited,) if cited else (), question=Question(
            f"order/{name}", "window", "in which order", "a", ())))
        for name in words.game.windows]

    assert made == [told.format(name) for name in ("first meal", "the meal")[:len(made)]]
    assert len({*made}) == len(made)


@pytest.mark.parametrize(("last", "more"), [(None, ""), (4, "ends in another way after 4 moves")])
def test_answers_that_differ_from_the_start_take_no_moves(
    last: int | None, more: str, game: Game
) -> None:
    """Nobody counts to zero."""
    told = paragraph(Words(game), observed("declared", first=0, last=last))

    assert told.startswith("The answers differ before anybody has done anything")
    assert more in told
    assert "0" not in told
