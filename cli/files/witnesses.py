"""What a file holds that can be replayed: a play, a position, or the witnesses of findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard

from ...checker.positions.replays import FORMAT as POSITION_FORMAT
from ...model.plays.board import JSON
from ...model.plays.documents import DocumentError, field, is_list, is_object
from ...model.plays.plays import FORMAT as PLAY_FORMAT
from ...model.source.errors import quote
from .shapes import insist_on_shape

FINDINGS_FORMAT = "ruleproof/findings-1"
RULINGS_FORMAT = "ruleproof/rulings-1"


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to be replayed, and what it is called within its file."""

    kind: Literal["play", "position"]
    name: str
    doc: object
    others: tuple[object, ...] = ()
    """The same under other settings; the piece holds if it does under one of them."""


def pieces(doc: object) -> Iterator[Piece]:
    """List what a document holds.

    Raises:
        DocumentError: if it is none that can be replayed.

    """
    if is_list(doc):
        if not doc:
            raise DocumentError("there is nothing in it to be replayed")
        for each in doc:
            yield from pieces(each)
        return
    form = field(doc, "format", str, "the file")
    if form == PLAY_FORMAT:
        insist_on_shape(doc, "play")
        yield Piece("play", "", doc)
    elif form == POSITION_FORMAT:
        insist_on_shape(doc, "position")
        name = doc.get("id") if is_object(doc) else None
        yield Piece("position", name if isinstance(name, str) else "", doc)
    elif form == RULINGS_FORMAT:
        for answer in field(doc, "answers", list, "the file"):
            yield from pieces(field(answer, "position", dict, "an answer"))
    elif form == FINDINGS_FORMAT:
        insist_on_shape(doc, "findings")
        for piece in _findings(doc):
            for whole in (piece.doc, *piece.others):
                insist_on_shape(whole, piece.kind)
            yield piece
    else:
        known = f"{PLAY_FORMAT}, {POSITION_FORMAT}, {FINDINGS_FORMAT}, {RULINGS_FORMAT}"
        raise DocumentError(f"the format {quote(form)} cannot be replayed; there is {known}")


def _findings(doc: object) -> Iterator[Piece]:
    for where, finding in _whole(field(doc, "findings", list, "the file")):
        name = field(finding, "id", str, where)
        evidence = finding.get("evidence") if is_object(finding) else None
        if evidence is None:
            continue
        plays = evidence.get("plays", []) if is_object(evidence) else None
        if not is_object(evidence) or not is_list(plays):
            raise DocumentError(f"`evidence` of {where} must be an object with a list of plays")
        for count, each in enumerate(plays, 1):
            play = field(each, "play", dict, f"play {count} of {where}")
            reading = each.get("reading") if is_object(each) else None
            under = f", {reading}" if isinstance(reading, str) and reading else ""
            yield Piece("play", f"{name}, play {count}{under}", play)
        position = evidence.get("position")
        if is_object(position) and position:
            first, *others = _positions(doc, evidence, position, plays)
            yield Piece("position", f"{name}, position", first, tuple(others))


def _whole(findings: list[JSON]) -> Iterator[tuple[str, JSON]]:
    """Name findings, each followed by its consequences."""
    for number, finding in enumerate(findings, 1):
        yield f"finding {number}", finding
        below = finding.get("consequences") if is_object(finding) else None
        if is_list(below):
            for count, each in enumerate(below, 1):
                yield f"consequence {count} of finding {number}", each


def _positions(
    doc: object, evidence: Mapping[str, JSON], position: Mapping[str, JSON], plays: list[JSON]
) -> Iterator[JSON]:
    """Complete the position of a finding by what the file says; it belongs to one of its plays."""
    settings = [field(each["play"], "settings", dict, "a play") for each in plays if _has(each)]
    scope = evidence.get("scope")
    alone = dict(field(doc, "settings", dict, "the file"))
    if isinstance(scope, str) and scope:
        alone["scope"] = scope
    for chosen in (*settings, alone):
        yield {
            "format": POSITION_FORMAT,
            "game": field(doc, "game", str, "the file"),
            "spec_sha256": field(doc, "spec_sha256", str, "the file"),
            "settings": chosen,
            **position,
        }


def _has(each: JSON) -> TypeGuard[dict[str, JSON]]:
    return isinstance(each, dict) and isinstance(each.get("play"), dict)
