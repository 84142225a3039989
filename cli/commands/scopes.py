"""`ruleproof scopes GAME`: small instances of a game, to be taken over into its spec."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Annotated

from ...checker.scopes import MOST, Goal, Proposed, Proposing
from ...model.game.game import Game
from ...model.loading.load import load_game
from ...model.stop import stoppable
from ...reports.formats.document import json_text
from .. import answers
from .. import exit as status
from .. import options as opt
from ..groups import Chosen, Told, grouped

COMMENT = "# "


@grouped
def scopes(
    *,
    game: opt.GameName,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    rulings: opt.RulingsFrom = None,
    cards: opt.CardData = None,
    seed: opt.Seed = None,
    max_states: opt.MaxStates = None,
    max_time: opt.MaxTime = None,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    told: Told,
) -> int:
    """Propose small instances in which rules act that act in none.

    A scope can be explored to the end, so that what is said of it is no sample. The printed game is
    made smaller as long as random plays still do what no scope does: with fewer players, fewer
    cards, smaller constants, and never so that something fails while it is set up. A printed game
    that is as small is enough for all that it does. What is written
    is YAML, for the section `scopes`: `ruleproof scopes my-game >> my-game/game.yaml`, if there is
    no such section yet.
    """
    chosen = Chosen(variant=variant, ruling=ruling, rulings=rulings, cards=cards)
    settings = chosen.settings(game)
    written = load_game(game, settings)
    with told.progress(f"scopes of {game}") as tick:
        proposing = Proposing(game, settings, max_states or MOST, seed or 0, tick)
        end = None if max_time is None else time.monotonic() + max_time
        with stoppable(end) as stop:
            found = proposing.propose(stop)
    told.write(json_text(found) if form == "json" else _yaml(written, found, max_states or MOST))
    if stop.interrupted:
        raise status.Interrupted("")
    if not found.unsought:
        answers.lasts()
    return status.LIMIT if found.unsought else status.OK


def _yaml(game: Game, found: Proposed, most: int) -> str:
    """Write what is proposed as a section of a spec, with comments."""
    lines = [f"{COMMENT}Clauses and moves that the scopes of {game.title} have: {found.done}."]
    names = (name for number in range(1, 1_000_000)
             if (name := f"small_{number}") not in game.scopes)
    lines += ["scopes:"] if found.proposals else [f"{COMMENT}No scope is proposed."]
    for name, each in zip(names, found.proposals, strict=False):
        about = json.dumps(f"the first with {_names(game, each.adds)}", ensure_ascii=False)
        lines += [f"  {COMMENT}{each.states:,} situations", f"  {name}:", f"    about: {about}"]
        lines += [f"    {key}: {_flow(value)}" for key, value in each.scope.items()]
    large = f"Found in no smaller instance of at most {most:,} situations"
    for what, goals in ((large, found.large),
                        ("Done in no random play of the printed game", found.unseen),
                        (f"Not looked for, as {found.why}", found.unsought)):
        if goals:
            lines.append(f"{COMMENT}{what}: {_names(game, goals)}")
    return "\n".join(lines)


def _names(game: Game, goals: Iterable[Goal]) -> str:
    """Name clauses, cards whose texts act, and moves."""
    cards = {f"card:{family.name}.{card.id}.": card.name
             for family in game.families.values() for card in family.cards}
    return ", ".join(dict.fromkeys(
        f"{cards[name.rpartition('.')[0] + '.']} ({name.rpartition('.')[2]})"
        if name.startswith("card:") else name for _, name in goals))


def _flow(value: object) -> str:
    """Write plain data in one line of YAML."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(_flow(each) for each in value) + "]"
        case _:
            return str(value)
