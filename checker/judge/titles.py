"""The sentences of findings: a title and a first paragraph for each kind, in the game's own words.

A title says what happens at the table.  It is made of the kind, of what the clauses say (our
paraphrases), and of the book's names; never of expressions, ranges, ids or names of scopes.  What
the spec writes stands further below in a report (`Evidence.details`, the clauses as code).

The facts that a template uses beside the clauses are in `Observation.said`; each template names its
keys by using them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...model.plays.documents import is_list, is_object
from ...model.plays.moves import many
from ...model.source.errors import printable
from . import observations
from .words import cut

if TYPE_CHECKING:
    from .observations import Observation
    from .results import Identity
    from .words import Words

def title(words: Words, one: Observation) -> str:
    """Return the title of an observation."""
    made = TITLES.get(one.identity.kind, _declared)(words, one)
    return made[:1].upper() + made[1:]


def paragraph(words: Words, one: Observation) -> str:
    """Return the first paragraph: what else there is to say of it in words; "" if there is none."""
    make = PARAGRAPHS.get(one.identity.kind, _apart if one.question is not None else None)
    return make(words, one) if make is not None else ""


def symptom(words: Words, identity: Identity) -> str:
    """Say what play would show, by its identity alone."""
    made = SYMPTOMS.get(identity.kind)
    said = words.says(identity.clause.partition("+")[0]) if identity.clause else ""
    return made or said


# ---------------------------------------------------------------------- what cannot be done


def _and(failure: str) -> Template:
    """Make the template of what a clause says, and of what keeps it from being done."""
    def made(words: Words, one: Observation) -> str:
        return f"{words.owes(one.identity)}, and {failure}"

    return made


def _not_so(words: Words, one: Observation) -> str:
    return f"{words.says(one.identity.clause)}: it does not always come out so"


def _nothing_to_draw(words: Words, one: Observation) -> str:
    deck = str(one.said.get("about", ""))
    empty = [name for name in (deck, *words.feeders(deck))
             if words.called(name) and (name == deck or _is_empty(one, name))]
    places = [words.zone(name) for name in dict.fromkeys(empty)]
    said = words.owes(one.identity)
    if len(places) > 1:
        return f"{said}, and both {' and '.join(places[:2])} are empty"
    return f"{said}, and {places[0] if places else 'the deck'} is empty"


def _is_empty(one: Observation, zone: str) -> bool:
    """Return whether a place is empty in the situation shown, each player's if they have one."""
    position = one.evidence.position
    state = position.get("state") if is_object(position) else None
    return is_object(state) and zone in state and not _held(state[zone])


def _held(value: Any) -> bool:  # noqa: ANN401  (JSON)
    if is_object(value):
        return any(map(_held, value.values()))
    return any(map(_held, value)) if is_list(value) else bool(value)


def _too_few(words: Words, one: Observation) -> str:
    known = words.called(str(one.said.get("about", "")))
    where = f" in the {known}" if known else ""
    return f"{words.owes(one.identity)}, and there are too few cards{where}"


def _not_there(words: Words, one: Observation) -> str:
    known = words.called(str(one.said.get("about", "")))
    return (f"{words.owes(one.identity)}, and the card is not "
            + (f"in the {known}" if known else "there"))


def _no_value(words: Words, one: Observation) -> str:
    known = words.called(str(one.said.get("about", "")))
    return f"{words.owes(one.identity)}, and there is no {known or 'such thing yet'}"


def _out_of_range(words: Words, one: Observation) -> str:
    known = words.called(str(one.said.get("about", "")))
    what = f"{f'the {known}' if known else 'a number'} would go too far up or down"
    return f"{words.owes(one.identity)}, and {what}"


def _tie(words: Words, one: Observation) -> str:
    said = words.owes(one.identity)
    if one.said.get("about"):
        return f"{said}, and nothing in the game tells who that is"
    return f"{said}, and several players are equal"


def _then(words: Words, one: Observation) -> str:
    """Say what the encoding does where something cannot be done."""
    del words
    match one.said.get("then"):
        case observations.AS_POSSIBLE:
            return ("The book does not say what then. Here as much as possible is done, and the "
                    "game goes on.")
        case observations.OTHERWISE:
            return "What is done then is ours, not the book's."
        case _:
            return ("The book does not say what then. Here the game goes on as the adopted ruling "
                    "says.")


# ---------------------------------------------------------------------- limits, moves, loops


def _limit(words: Words, one: Observation) -> str:
    said = words.says(one.identity.clause)
    if one.said.get("barred"):
        return f"{said}: other sentences leave no move that keeps this"
    return f"{said}: something that nobody can avoid breaks this"


def _no_move(words: Words, one: Observation) -> str:
    who = f"a {words.game.player_word}" if one.said.get("who") else "somebody"
    ask = str(one.said.get("ask", ""))
    if one.identity.cls == "contradiction":
        core = tuple(one.identity.clause.split("+"))
        said = "; and: ".join(cut(words.says(each)) for each in core[:2])
        more = f"; and {many(len(core) - 2, 'more')}" if len(core) > 2 else ""
        return f"no move is left to {who}: {said}{more}"
    where = f" when asked “{ask}”" if ask else (
        f": {cut(words.says(one.identity.clause))}" if one.identity.clause else "")
    return f"{who} has to act, and can do nothing{where}"


def _why_no_move(words: Words, one: Observation) -> str:
    del words
    number = len(one.evidence.details.get("ruled_out", ()))
    if not number:
        return "Nothing that could be done at this point is permitted here."
    return "Each move that could be made otherwise is ruled out by one of the sentences."


def _loop(words: Words, one: Observation) -> str:
    del words
    said = one.said
    return (f"The loop is {many(said['moves'], 'move')} long; {said['on']:,} of the "
            f"{many(said['of'], 'situation')} that were explored lie on such loops.")


def _rules(words: Words, one: Observation) -> str:
    del words
    return "The setup of the game does not come to rest." if one.said.get("setup") else ""


def _fate(words: Words, one: Observation) -> str:
    return (f"{words.says(one.identity.clause)}: from some situation on this will be broken, "
            "whatever anybody does")


# ---------------------------------------------------------------------- open points


def _declared(words: Words, one: Observation) -> str:
    del words
    assert one.question is not None
    return f"{one.question.asks.rstrip('.?')}?"


def _which_first(words: Words, one: Observation) -> str:
    said = words.several(one.clauses[:2])
    if one.identity.cls == "overlap":
        return f"two rules say at once what becomes of one thing, and differ: {said}"
    return f"which comes first: {said}?"


def _of_clause(question: str) -> Template:
    """Make the template of a question about what a clause says."""
    def made(words: Words, one: Observation) -> str:
        return f"{question}: {words.says(one.clauses[0])}?" if one.clauses else f"{question}?"

    return made


def _apart(words: Words, one: Observation) -> str:
    del words
    first, last = one.said.get("first"), one.said.get("last")
    if first is None:
        return ""
    text = f"The readings first differ after {many(first, 'move')}"
    return text + (f", and the winner after {last}." if last is not None else ".")


# ---------------------------------------------------------------------- sentences


def _idle(words: Words, one: Observation) -> str:
    said = words.says(one.identity.clause)
    match one.identity.cls:
        case "redundant-clause" if one.said.get("always"):
            return f"{said}: that is always so anyway"
        case "redundant-clause":
            return f"{said}: other sentences rule out the same"
        case "dead-clause" if one.said.get("bars"):
            return f"{said}: what this rules out never comes up"
        case "dead-clause":
            return f"{said}: this never applies"
        case _:
            return f"{said}: the game is the same without this"


def _why_idle(words: Words, one: Observation) -> str:
    del words
    others = len(one.clauses) - 1
    made = f"Taking the sentence out changes nothing {looked(one)}."
    if one.identity.cls != "redundant-clause" or not others:
        return made
    if one.said.get("always"):
        by = "the other sentence" if others == 1 else f"the {others} other sentences"
        return f"It is always so when it is asked for, by {by} named below. {made}"
    it, those = ("The other one named below does", "that one") if others == 1 else (
        f"The {others} others named below do", "those")
    return f"{it} the same: this one or {those} can go, not both. {made}"


def looked(one: Observation) -> str:
    """Say where no difference was found."""
    games, plays = one.said.get("games", 0), one.said.get("plays", 0)
    if one.said.get("proved"):
        return "in any state of the printed game"
    if not games:
        return "in any situation of the game"
    where = "the small game that was" if games == 1 else f"the {games} small games that were"
    return f"in any situation of {where} explored" + (
        f", nor in {many(plays, 'random play')} of the printed one" if plays else "")


def _pair(words: Words, one: Observation) -> str:
    return f"one of these suffices: {words.several(one.clauses)}"


def _why_pair(words: Words, one: Observation) -> str:
    del words, one
    return "Without either of them the game is the same, without both it is not."


def _phrase(words: Words, one: Observation) -> str:
    said = words.says(one.identity.clause)
    if one.said.get("suffices"):
        return f"{said}: not all of its conditions are needed"
    number = "one of its conditions changes" if one.said.get("number") == 1 else (
        f"{one.said.get('number')} of its conditions change")
    return f"{said}: {number} nothing"


def _why_phrase(words: Words, one: Observation) -> str:
    del words
    if one.said.get("suffices"):
        return f"Each can be left out as long as others stay; that changes nothing {looked(one)}."
    it = "it" if one.said.get("number") == 1 else "them"
    return f"Leaving {it} out changes nothing {looked(one)}."


def _before(text: str) -> Template:
    """Make the template of what a clause says, after what is wrong with it."""
    def made(words: Words, one: Observation) -> str:
        return f"{text}: {words.says(one.identity.clause)}"

    return made


def _nothing_claimed(words: Words, one: Observation) -> str:
    del words
    return f"What it supposes can never be, with {one.said['counts']}."


def _where_untrue(words: Words, one: Observation) -> str:
    del words
    return f"It fails with {one.said['counts']}."


def _term(text: str) -> Template:
    """Make the template of what is wrong with a word; `{term}` and `{other}` are quoted."""
    def made(words: Words, one: Observation) -> str:
        del words
        return text.format(term=one.identity.place, other=one.said.get("other", ""))

    return made


def _seats(words: Words, one: Observation) -> str:
    where = f": {words.says(one.identity.clause)}" if one.identity.clause else ""
    return f"who sits where makes a difference{where}"


def _example(words: Words, one: Observation) -> str:
    return f"the book's example breaks its own rules: {words.says(one.identity.clause)}"


def _why_example(words: Words, one: Observation) -> str:
    del words
    number, deed = one.said.get("move", 0), printable(str(one.said.get("deed", "")))
    if deed:
        return f"Its move {number} cannot be made: {deed.rstrip('.')}."
    if one.said.get("end"):
        return "Played by the rules, it does not end as it says."
    return f"It goes wrong at its move {number}." if number else "It cannot begin as it says."


Template = Callable[["Words", "Observation"], str]

TITLES: Mapping[str, Template] = {
    "no-value": _no_value,
    "nothing-to-draw": _nothing_to_draw,
    "no-option": _and("there is nothing to choose from"),
    "too-few": _too_few,
    "not-there": _not_there,
    "out-of-range": _out_of_range,
    "nothing-to-compare": _and("there is nothing to compare"),
    "division-by-zero": _and("nothing is left to divide by"),
    "not-one": _and("there is not exactly one such player"),
    "tie": _tie,
    "outside": _and("nothing in the game tells what that is"),
    "no-case": _and("a case comes up that neither this nor its likes cover"),
    "required-at-end": _not_so,
    "limit-at-end": _and("what was done before breaks this"),
    "conflict": _and("two of these change the same thing at once"),
    "limit": _limit,
    "no-move": _no_move,
    "fate": _fate,
    "forced": lambda *_: "the game goes round in a circle that nobody can leave",
    "trapped": lambda *_: "from some point on the game can no longer end, whatever anybody does",
    "free": lambda *_: "one player alone can go on for ever",
    "optional": lambda *_: "nobody has to end the game: it can go on for ever",
    "automatic": lambda *_: "the rules go round for ever without anybody deciding",
    "declared": _declared,
    "silence": _declared,
    "clauses": _which_first,
    "rules": _which_first,
    "loop": _of_clause("in which order are the players taken"),
    "window": _of_clause("in which order do the players act"),
    "firing": _of_clause("does this happen each time, or only once"),
    "timing": _of_clause("does this interrupt what is going on, or wait for its end"),
    "clause": _idle,
    "pair": _pair,
    "phrase": _phrase,
    "number": _before("this is not true"),
    "never": _before("this is not true"),
    "reachable": _before("this never comes up"),
    "nothing-claimed": _before("this says nothing"),
    "undefined": _term("“{term}” is used, and nothing says what it is"),
    "unused": _term("“{term}” is introduced and never used again"),
    "synonym": _term("two names for one thing: “{term}” and “{other}”"),
    "ambiguous": _term("one name for two things: “{term}” is {other}"),
    "example": _example,
    "seats": _seats,
}
"""Kind → the title of a finding of this kind."""

PARAGRAPHS: Mapping[str, Template] = {
    **dict.fromkeys(("no-value", "nothing-to-draw", "no-option", "too-few", "not-there",
                     "out-of-range", "nothing-to-compare", "division-by-zero", "not-one", "tie",
                     "outside", "no-case", "required-at-end", "limit-at-end", "conflict"), _then),
    "no-move": _why_no_move,
    "automatic": _rules,
    **dict.fromkeys(("forced", "trapped", "free", "optional"), _loop),
    **dict.fromkeys(("declared", "clauses", "rules", "loop", "window", "firing", "timing",
                     "silence"), _apart),
    "clause": _why_idle,
    "pair": _why_pair,
    "phrase": _why_phrase,
    "number": _where_untrue,
    "nothing-claimed": _nothing_claimed,
    "reachable": lambda *_: "No situation of the games that were explored shows it.",
    "example": _why_example,
    "seats": lambda *_: "If everybody sits one seat further, the same situation goes on otherwise.",
}
"""Kind → the first paragraph, for kinds that have one."""

SYMPTOMS: Mapping[str, str] = {
    kind: str(TITLES[kind](None, None))  # type: ignore[arg-type]
    for kind in ("forced", "trapped", "free", "optional", "automatic")
}
"""Kind → what it is called where there is no clause to name."""
