"""Templates of what is wrong with sentences: of no use, untrue, unclear words, examples, seats.

`titles` says what they are used for, and what a title may hold.
"""

from __future__ import annotations

from collections.abc import Callable

from ...model.plays.wording import many
from ...model.source.errors import printable
from ...model.views.deeds import value_text
from .observations import Observation
from .words import Words, cut

IDLE = ("clause", "pair", "phrase", "repeats")
"""Kinds of sentences, and of parts of them, without which the game is the same."""

NAMED = 6
"""So many words are named in a title."""

Template = Callable[["Words", "Observation"], str]


def idle_title(words: Words, one: Observation) -> str:
    """Name what a clause does not do, and the clause."""
    said = words.says(one.identity.clause)
    match one.identity.cls:
        case "redundant-clause" if one.said.get("reminders"):
            return f"the reminder of this sentence says more: {said}"
        case "redundant-clause":
            return f"said by other sentences already: {said}"
        case "dead-clause" if one.said.get("allowed"):
            return f"a ban whose case never comes up: {said}"
        case "dead-clause" if one.said.get("bars"):
            return f"a ban on what no other sentence allows: {said}"
        case "dead-clause":
            return f"a sentence that never comes into play: {said}"
        case _:
            return f"a sentence that changes nothing in the game: {said}"


def shut_title(words: Words, one: Observation) -> str:
    """Name what is allowed, and what forbids it in any case."""
    allows, *bans = one.clauses
    more = f"; and {many(len(bans) - 1, 'more sentence')}" if len(bans) > 1 else ""
    return (f"what one sentence allows another one always forbids: {cut(words.says(allows))}; and: "
            f"{cut(words.says(bans[0]))}{more}")


def why_idle(_: Words, one: Observation) -> str:
    """Say what became of the game without the clause, and what stands in for it."""
    others = len(one.clauses) - 1
    made = f"Taking the sentence out changes nothing {looked(one)}.{_at_the_end(one)}{_rests(one)}"
    if one.identity.cls != "redundant-clause" or not others:
        return made
    if one.said.get("always"):
        by = "the other sentence" if others == 1 else f"the {others} other sentences"
        return f"It is always so when it is asked for, by {by} named below. {made}"
    it, s, those = ("The other one named below", "s", "that one") if others == 1 else (
        f"The {others} others named below", "", "those")
    if one.said.get("reminders"):
        by = "The reminder named below does" if others == 1 else "The reminders named below do"
        return f"{by} what this sentence does, and more. {made}"
    if (more := one.said.get("more", False)) is not False:
        beyond = ", and more" if more else ""
        return f"{it} rule{s} out all that this one does{beyond}: this one can go. {made}"
    return f"{it} {'does' if s else 'do'} the same: this one or {those} can go. {made}"


def why_repeats(_: Words, one: Observation) -> str:
    """Say what was tried with each of several sentences."""
    return ("Each may be meant as a reminder; if one is changed, the other has to be. Taking one "
            f"out changes nothing {looked(one)}.{_rests(one)}")


def _rests(one: Observation) -> str:
    """Say that it rests on answers to questions about other sentences, if it does."""
    asked = one.said.get("adopted", 0)
    return "" if not asked else (
        f" It is so under the answers that are adopted; under other answers to "
        f"{many(asked, 'question')} it may be needed.")


def _at_the_end(one: Observation) -> str:
    """Say that games that are over differ in what decides nothing, if they do."""
    if not one.said.get("ends"):
        return ""
    return " Only what lies on the table when the game is over is not the same; it decides nothing."


def looked(one: Observation) -> str:
    """Say where no difference was found."""
    games, plays = one.said.get("games", 0), one.said.get("plays", 0)
    by = f" {one.said.get('with', '')}".rstrip()
    if one.said.get("proved"):
        return f"in any situation of the printed game{by}"
    if not games:
        return f"in any situation of the game{by}"
    where = "the small game that was" if games == 1 else f"the {games} small games that were"
    return f"in any situation of {where} explored" + (
        f", nor in {many(plays, 'random play')} of the printed one" if plays else "")


def pair_title(words: Words, one: Observation) -> str:
    """Name clauses of which any would do."""
    said = "; ".join(f"({place}) {cut(words.says(clause))}"
                     for place, clause in enumerate(one.clauses, 1))
    return f"one of these sentences is enough: {said}"


def why_pair(_: Words, one: Observation) -> str:
    """Say what was tried with two clauses, or more."""
    if len(one.clauses) > 2:
        made = "As long as one of them is there the game is the same; without all it is not."
    else:
        made = "Without either of them the game is the same, without both it is not."
    return made + _rests(one)


def phrase_title(words: Words, one: Observation) -> str:
    """Name a clause with conditions that change nothing, and these as they are written."""
    said, number = words.says(one.identity.clause), one.said.get("number")
    these = str(one.said.get("phrases", ""))
    if one.said.get("suffices"):
        return f"conditions of this sentence say the same ({these}): {said}"
    which = "one condition" if number == 1 else f"{number} conditions"
    verb = "changes" if number == 1 else "change"
    return f"{which} of this sentence {verb} nothing ({these}): {said}"


def why_phrase(_: Words, one: Observation) -> str:
    """Say what was tried with conditions."""
    if one.said.get("suffices"):
        return (f"Each can be left out as long as others stay; that changes nothing {looked(one)}."
                f"{_at_the_end(one)}{_rests(one)}")
    it = "it" if one.said.get("number") == 1 else "them"
    return f"Leaving {it} out changes nothing {looked(one)}.{_at_the_end(one)}{_rests(one)}"


def untrue_title(words: Words, one: Observation) -> str:
    """Say with how many players a claim fails, if not with all; of one about play, that it does."""
    if one.said.get("everywhere"):
        return f"not true{one.said.get('mode', '')}: {words.says(one.identity.clause)}"
    counts = str(one.said.get("counts", "")) if one.identity.kind == "number" else ""
    where = "with some numbers of players" if "," in counts else (
        f"with {counts}" if counts else "in every game")
    return f"not true {where}: {words.says(one.identity.clause)}"


def relied_title(words: Words, one: Observation) -> str:
    """Ask what holds where what a rule relies on is not so: with which players, if not with all."""
    where = "" if one.said.get("everywhere") else f", as can happen with {one.said['counts']}"
    return f"{words.says(one.identity.clause)}: what if that decides nothing{where}?"


def where_relied(words: Words, one: Observation) -> str:
    """Give an instance in which what a rule relies on is not so."""
    told = _instance(words, one)
    return f"So it is with {told}." if told else ""


def _instance(words: Words, one: Observation) -> str:
    """Tell the numbers of an instance in which a claim fails; players by their names."""
    details = one.evidence.details
    claims = [each.claim for each in words.game.clauses if each.id == one.identity.clause]
    types = {each.name: each.type for claim in claims if claim is not None for each in claim.given}
    told: dict[str, list[str]] = {}
    for name, value in (details.get("counterexample") or {}).items():
        what, _, who = name.partition(" of ")
        known = value_text(words.game, types[what], value) if what in types else str(value)
        told.setdefault(words.game.titles.of(what), []).append(f"{known} ({who})" if who else known)
    listed = "; ".join(f"{what}: {', '.join(some)}" for what, some in told.items())
    return f"{many(details['players'][0], 'player')}: {listed}" if listed else ""


def where_untrue(words: Words, one: Observation) -> str:
    """Say what the equation of a claim that fails comes to, or where else it fails."""
    figures, counts = one.said.get("figures"), str(one.said.get("counts", ""))
    made = [f"It fails with {counts}."] if one.identity.kind == "number" and "," in counts else []
    made += [] if figures is None else [f"It comes to {figures[0]}, and not to {figures[1]}."]
    told = _instance(words, one)
    return " ".join([*made, *[f"For instance it fails with {told}."] * bool(told)])


def words_title(_: Words, one: Observation) -> str:
    """Count the words with which something is wrong, and name those that weigh most."""
    named = [row[0] for row in one.said["table"][1:]]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f"words that readers may take wrongly: {', '.join(named[:NAMED])}{more}"


def repeats_title(_: Words, one: Observation) -> str:
    """Count the sentences that others make needless."""
    return f"{many(len(one.said['table']) - 1, 'sentence')} that others make needless"


def seats_title(words: Words, one: Observation) -> str:
    """Name the clause that treats seats differently."""
    where = f": {words.says(one.identity.clause)}" if one.identity.clause else ""
    return f"it makes a difference who sits where{where}"


def why_example(_: Words, one: Observation) -> str:
    """Say where an example goes wrong."""
    number, deed = one.said.get("move", 0), printable(str(one.said.get("deed", "")))
    if deed:
        return f"By the rules its move {number} cannot be made: {deed.rstrip('.')}."
    if one.said.get("end"):
        return "Played by the rules, it does not end as it says."
    return f"It goes wrong at its move {number}." if number else "It cannot begin as it says."
