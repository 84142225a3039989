"""The sentences of findings: a title and a first paragraph for each kind, in the game's own words.

A title is what an editor is asked, or told: where a clause leaves something open, what it says (our
paraphrase) and then the question; where a clause is at fault, the fault and then what it says.  It
is made of the kind, of paraphrases and of the book's names; never of expressions, ranges, ids or
names of scopes.  What the spec writes stands in the appendix of a report (`Evidence.details`, the
clauses as code).

A template is a text with facts in braces (`_Facts`), or a function that makes one.  The facts that
it uses beside the clauses are in `Observation.said`; each template names its keys by using them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.machine.titles import is_or_are
from ...model.plays.documents import is_list, is_object
from ...model.plays.wording import many
from ...model.silences import options
from ...model.silences.aspects import ASPECTS
from . import faults, observations
from .faults import Template
from .observations import Observation
from .results import Identity
from .words import Words, cut

DONE: Mapping[str, str] = {
    **dict.fromkeys(("no-value", "nothing-to-compare", "division-by-zero", "not-one", "tie",
                     "tie-outside", "outside", "no-case"), "the rest of the sentence is left out"),
    **dict.fromkeys(("no-option", "too-few"),
                    "nothing is chosen, and what hangs on the choice is left out"),
    "nothing-to-draw": "as many cards are drawn as there are",
    "not-there": "that card stays where it is",
    "out-of-range": "the number stays at its bound",
    "conflict": "the first of them counts",
}
"""Kind of what cannot be done → what is done then, where neither book nor ruling says it."""
LONG = 60
"""Characters of a paraphrase behind which nobody remembers that a short question is asked."""
OVER = "game over"
"""The node at which a game has ended."""


def title(words: Words, one: Observation) -> str:
    """Return the title of an observation."""
    made = _filled(TITLES.get(one.identity.kind, _declared), words, one)
    return made[:1].upper() + made[1:]


def paragraph(words: Words, one: Observation) -> str:
    """Return the first paragraph: what else there is to say of it in words; "" if there is none."""
    return _filled(PARAGRAPHS.get(
        one.identity.kind, _apart if one.question is not None else ""), words, one)


def symptom(words: Words, identity: Identity) -> str:
    """Say what play would show, by its identity alone."""
    if identity.cls == "endless-loop":
        return str(TITLES[identity.kind])
    return words.says(identity.clause.partition("+")[0]) if identity.clause else ""


class _Facts:
    """The facts of an observation by name, as templates write them."""

    def __init__(self, words: Words, one: Observation) -> None:
        self.words, self.one = words, one

    def __getitem__(self, name: str) -> object:
        """Return a fact: of the clause, of the identity, else of what is said of it."""
        words, one = self.words, self.one
        match name:
            case "says":
                return words.says(one.identity.clause)
            case "owes":
                return words.owes(one.identity)
            case "asked":  # what the question is about, if it is about a clause
                return f"{words.says(one.clauses[0])}: " if one.clauses else ""
            case "bound":
                return words.bounded(one.identity.clause) or "just that"
            case "looked":
                return faults.looked(one)
            case "term":
                return one.identity.place
            case "other":
                return str(one.said.get("other", "")).replace("; also ", ", and also ")
            case _:
                return one.said[name]


def _filled(template: Template | str, words: Words, one: Observation) -> str:
    """Return the text of a template; what names of a spec hold is no template."""
    return template.format_map(_Facts(words, one)) if isinstance(template, str) else (
        template(words, one))


# ---------------------------------------------------------------------- what cannot be done


def _if(case: str, words: Words, one: Observation) -> str:
    """Say what a clause asks for, and ask about the case in which that cannot be done."""
    return f"{words.owes(one.identity)}: what if {case}?"


def _nothing_to_draw(words: Words, one: Observation) -> str:
    deck = str(one.said.get("about", ""))
    empty = [name for name in (deck, *words.feeders(deck))
             if words.called(name) and (name == deck or _is_empty(words, one, deck, name))]
    places = [words.zone(name) for name in dict.fromkeys(empty)]
    if len(places) > 1:
        return _if(f"{' and '.join(places[:2])} are both empty", words, one)
    place = places[0] if places else "the deck"
    return _if(f"{place} {is_or_are(place)} empty", words, one)


def _is_empty(words: Words, one: Observation, deck: str, zone: str) -> bool:
    """Return whether a place is empty in the situation shown, as a deck is.

    Where each player has both, somebody's are both empty.
    """
    position = one.evidence.position
    state = position.get("state") if is_object(position) else None
    if not is_object(state) or zone not in state:
        return False
    held, drawn = state[zone], state.get(deck)
    if words.game.zones[zone].per == words.game.zones[deck].per == "player" and (
            is_object(held) and is_object(drawn)):
        return any(not _held(drawn[each]) and not _held(held.get(each)) for each in drawn)
    return not _held(held)


def _held(value: Any) -> bool:  # noqa: ANN401  (JSON)
    if is_object(value):
        return any(map(_held, value.values()))
    return any(map(_held, value)) if is_list(value) else bool(value)


def _missing(words: Words, one: Observation) -> str:
    known = words.called(str(one.said.get("about", "")))
    match one.identity.kind:
        case "too-few":
            return _if("there are too few cards" + f" in the {known}" * bool(known), words, one)
        case "not-there":
            return _if(f"the card is not {f'in the {known}' if known else 'there'}", words, one)
        case _:
            return _if(f"there is no {known or 'such thing'} yet", words, one)


def _out_of_range(words: Words, one: Observation) -> str:
    about = str(one.said.get("about", ""))
    known = words.called(about)
    match words.step(one.identity.place):
        case "-1" if not words.floor(about):
            return _if(f"none of the {known} is left" if known else "nothing is left", words, one)
        case "-" | "-1":
            what = f"of the {known}" if known else "to take"
            return _if(f"that takes away more than is left {what}", words, one)
        case "+":
            what = f"more {known}" if known else "more"
            return _if(f"that gives {what} than allowed", words, one)
        case _:
            what = f"the {known}" if known else "that"
            return _if(f"{what} comes to less than zero, or to too much", words, one)


def _no_option(words: Words, one: Observation) -> str:
    sought = words.sought(one.identity.place)
    what = f"no {words.game.player_word if sought == 'player' else sought}" if sought else "nothing"
    return _if(f"there is {what} to choose", words, one)


def _tie(words: Words, one: Observation) -> str:
    if words.picks_winners(one.identity.clause, one.identity.place):
        return f"{words.owes(one.identity)}: who wins if several are equal in that?"
    return _if("several are equal", words, one)


def _outside(words: Words, one: Observation) -> str:
    """Ask for what the spec calls in words, as nothing in the game holds it."""
    called = str(one.said.get("about", ""))
    what = called if " " in called else "that, if nothing in the game tells"
    return f"{words.owes(one.identity)}: what is {what}?"


def _nobody_has_won(position: object) -> bool:
    """Return whether a position tells who has won, and nobody has."""
    state = position.get("state") if is_object(position) else None
    winners = state.get("winners") if is_object(state) else None
    return is_object(winners) and not any(winners.values())


def _then(words: Words, one: Observation) -> str:
    """Say what the encoding does where something cannot be done."""
    position = one.evidence.position
    over = is_object(position) and position.get("node") == OVER
    match one.said.get("then"):
        case observations.AS_POSSIBLE:
            done = DONE.get(one.identity.kind, "it is left as it is")
            if over and words.decides_winners(one.identity.clause) and _nobody_has_won(position):
                done = "nobody wins"
            return (f"The book does not say what happens then. In the games played here {done}, "
                    f"and the game {'is over' if over else 'goes on'}.")
        case observations.OTHERWISE:
            return "What is done then in the games played here is our choice, not the book's."
        case _:
            return ("The book does not say what happens then. The games played here go on as a "
                    "ruling of ours says.")


def _told_by_players(words: Words, one: Observation) -> str:
    """Say that a tie is broken by what is no part of the game, and by nothing after that."""
    called = str(one.said.get("about", ""))
    what = f"“{called}”" if " " in called else "what breaks the tie"
    told = (f"{what} is no part of the game, so the players have to tell; if they are equal in "
            f"that, too, no rule says what holds. {_then(words, one)}")
    return told[:1].upper() + told[1:]


# ---------------------------------------------------------------------- limits, moves, loops


def _limit(words: Words, one: Observation) -> str:
    return _filled("{says}: what if " + (
        "other sentences leave no move that keeps to this?" if one.said.get("barred")
        else "whatever is chosen leads to {bound}?" if one.said.get("chosen")
        else "a step that nobody chooses leads to {bound}?"), words, one)


def _limit_at_end(words: Words, one: Observation) -> str:
    leads = "it comes" if one.said.get("decided") else "another rule leads"
    return _filled(f"{{owes}}: what if {leads} to {{bound}}?", words, one)


def _no_move(words: Words, one: Observation) -> str:
    who = f"a {words.game.player_word}" if one.said.get("who") else "somebody"
    ask = str(one.said.get("ask", ""))
    if one.identity.cls == "contradiction":
        core = one.evidence.core if one.evidence.core[1:] else one.clauses
        said = "; and: ".join(cut(words.says(each)) for each in core[:2])
        more = f"; and {many(len(core) - 2, 'more sentence')}" if len(core) > 2 else ""
        together = "together these sentences leave" if core[1:] else "this sentence leaves"
        return f"{together} {who} without a move: {said}{more}"
    where = f" when asked “{ask}”" if ask else (
        f": {cut(words.says(one.identity.clause))}" if one.identity.clause else "")
    return f"{who} has to act and can do nothing{where}"


def _why_no_move(_: Words, one: Observation) -> str:
    if not one.evidence.details.get("ruled_out"):
        return "Nothing that could be done at this point is permitted here."
    if not one.evidence.core[1:] and one.clauses[1:]:
        return ("Each move that there is here is ruled out by the first of them; by what the other "
                "allows there is none.")
    return "Each move that could be made otherwise is ruled out by one of the sentences."


def _loop(_: Words, one: Observation) -> str:
    said = one.said
    game = "a small game" if said.get("small") else "the printed game"
    return (f"After {many(one.evidence.details['loop'], 'move')} everything can be as it was "
            f"before. This holds in {said['on']:,} of {many(said['of'], 'situation')} of {game}"
            f"{', whatever chance brings' * bool(said.get('luck'))}.")


# ---------------------------------------------------------------------- open points


def _declared(_: Words, one: Observation) -> str:
    assert one.question is not None
    return f"{one.question.asks.rstrip('.?')}?"


def _silent(words: Words, one: Observation) -> str:
    """Ask what a sentence leaves open; behind a long one the question stands first."""
    made, asked = _declared(words, one), ASPECTS[options.HOW_OFTEN].asks
    said = made.removesuffix(f": {asked}?")
    return f"{asked}: {said}?" if LONG < len(said) < len(made) else made


def _which_first(words: Words, one: Observation) -> str:
    first, *others = (cut(words.says(clause)) for clause in one.clauses[:2])
    said = " or ".join(f"“{each}”" for each in (first, *others))
    if one.identity.cls == "overlap":
        return f"two rules say at once, and differently, what becomes of one thing: {said}"
    return f"which is done first where both are due: {said}?"


def _several_first(words: Words, one: Observation) -> str:
    said = ", ".join(f"“{cut(words.says(clause))}”" for clause in one.clauses)
    return f"in which order is this done where all are due: {said}?"


def _window_order(words: Words, one: Observation) -> str:
    """Ask for the order in which players act; of which window, if no clause of its own tells it."""
    windows = words.game.windows
    name = one.identity.place
    alike = [each for each in windows.values() if each.who is not None and name in windows and (
        each.order, each.clause) == (windows[name].order, windows[name].clause)]
    where = f" in “{words.window(name)}”" if name in windows and (
        not one.clauses or len(alike) > 1) else ""
    return _filled("{asked}in which order do the players act", words, one) + f"{where}?"


def _apart(_: Words, one: Observation) -> str:
    first, last = one.said.get("first"), one.said.get("last")
    if first is None:
        return ""
    if one.said.get("mirrored"):
        return ("The answers are mirror images of each other: whatever happens to one seat under "
                "the one happens to the seat on the other side under the other.")
    moves, end = many(first, "move"), f", and its end after {last}"
    if not first:
        text = "The answers differ before anybody has done anything"
        end = f"; a game ends in another way after {many(last or 0, 'move')}"
    elif one.evidence.method == "sampled":
        text = f"In the game shown the answers part after {moves}"
    else:
        text = f"In the shortest game that shows it the answers first differ after {moves}"
    more = len(one.clauses) - 1 if one.identity.kind == "silence" else 0
    also = f"The same is open in {many(more, 'other sentence')}. " if more else ""
    return f"{also}{text}{'' if last is None else end}."


# ---------------------------------------------------------------------- by kind

TITLES: Mapping[str, Template | str] = {
    **dict.fromkeys(("no-value", "too-few", "not-there"), _missing),
    "nothing-to-draw": _nothing_to_draw,
    "no-option": _no_option,
    "out-of-range": _out_of_range,
    "nothing-to-compare": "{owes}: what if there is nothing to compare?",
    "division-by-zero": "{owes}: what if there is nothing left to divide by?",
    "not-one": "{owes}: who is that, if it fits nobody or several players?",
    "tie": _tie,
    "tie-outside": "{owes}: and if they are equal in that, too?",
    "outside": _outside,
    "no-case": "{owes}: what happens in the cases that are not named?",
    "required-at-end": "{says}: what if this cannot be done in full?",
    "limit-at-end": _limit_at_end,
    "conflict": "{owes}: what if two of these change the same thing at once?",
    "limit": _limit,
    "no-move": _no_move,
    "fate": "{says}: from some point on this will be broken, whatever anybody does",
    "forced": "the game can get into a circle that nobody can leave",
    "trapped": "from some point on the game can no longer end, whatever anybody does",
    "free": "one player alone can go on for ever, and nobody else gets a turn",
    "alone": "one player alone can go on for ever, and the others have no choice",
    "optional": "the game can go on for ever, if the players let it",
    "automatic": "the rules can go round for ever without anybody deciding anything",
    "declared": _declared,
    "silence": _silent,
    **dict.fromkeys(("clauses", "rules"), _which_first),
    "several": _several_first,
    "loop": "{asked}in which order are the players taken?",
    "window": _window_order,
    "firing": "{asked}does this happen each time, or only once?",
    "timing": "{asked}does this happen at once, or when the current action is over?",
    "shut": faults.shut_title,
    "clause": faults.idle_title,
    "pair": faults.pair_title,
    "phrase": faults.phrase_title,
    **dict.fromkeys(("number", "never"), faults.untrue_title),
    "relied-on": faults.relied_title,
    "reachable": "this never comes up: {says}",
    "nothing-claimed": "this says nothing: {says}",
    "undefined": "“{term}” is used and never explained",
    "unused": "“{term}” is explained and never used",
    "synonym": "two words for one thing: “{term}” and “{other}”",
    "ambiguous": "one word for two things: “{term}” is {other}",
    "example": "the book's example breaks its own rules: {says}",
    "words": faults.words_title,
    "repeats": faults.repeats_title,
    "seats": faults.seats_title,
    "players": "for how many players is the game?",
}
"""Kind → the title of a finding of this kind."""

PARAGRAPHS: Mapping[str, Template | str] = {
    **dict.fromkeys((*DONE, "required-at-end", "limit-at-end"), _then),
    "tie-outside": _told_by_players,
    "no-move": _why_no_move,
    "automatic": lambda _, one: (
        "The setup of the game does not come to rest." if one.said.get("setup") else ""),
    **dict.fromkeys(("forced", "trapped", "free", "alone", "optional"), _loop),
    "shut": "As the rules stand nobody ever can, in whatever situation.",
    "clause": faults.why_idle,
    "pair": faults.why_pair,
    "phrase": faults.why_phrase,
    "several": "Each two of these make no difference while the others keep their order.",
    "repeats": faults.why_repeats,
    "number": faults.where_untrue,
    "relied-on": faults.where_relied,
    "nothing-claimed": "What it supposes never comes about with {counts}.",
    "reachable": "No situation of the games that were explored shows it.",
    "example": faults.why_example,
    "players": ("No sentence gives the number of players. The games played here are for {low} to "
                "{high}."),
    "seats": "If everybody moves one seat on, the same situation goes on differently.",
}
"""Kind → the first paragraph, for kinds that have one; of a question where its answers part."""
