"""Kuhn poker, written by hand and from no spec, with one mistake if one is asked for.

    python poker.py [MISTAKE]

It imports nothing of ours: this is what an adapter in any language amounts to.
"""

import json
import os
import sys
import time
from typing import Any

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else ""
SEATS = ["player 1", "player 2"]
RANK = {"jack": 1, "queen": 2, "king": 3}


class Table:
    """The game: the cards, what is staked, who is asked what."""

    def __init__(self) -> None:
        self.hands: dict[str, str | None] = dict.fromkeys(SEATS)
        self.staked = dict.fromkeys(SEATS, 1)
        self.asked: tuple[str, str] | None = None  # who is asked, and for "bet" or "call"
        self.winner: str | None = None
        self.moves_made = 0

    def deck(self) -> list[str]:
        """List the cards that nobody has."""
        return [card for card in RANK if card not in self.hands.values()]

    def set(self, state: dict[str, Any], to_move: str, asks: str) -> None:
        """Take over a situation."""
        for seat in SEATS:
            self.hands[seat] = next(iter(state["hand"][seat]), None)
        self.staked = dict(state["staked"])
        if to_move in SEATS:
            self.asked = (to_move, "call" if "call" in asks else "bet")
        self.winner = next((seat for seat in SEATS if state["winners"][seat]), None)

    def moves(self) -> list[Any]:
        """List the legal moves."""
        if self.winner:
            return []
        if not self.asked:
            free = self.deck()
            parts = 2 if MISTAKE == "not reduced" else 1
            odds = f"{parts}/{parts * len(free) + (MISTAKE == 'odds')}"
            return [{"event": "draw", "choice": {"card": card}, "probability": odds}
                    for card in free]
        answers = ["yes", "no"]
        if MISTAKE == "no fold" and self.asked[1] == "call":
            answers = ["yes"]
        if MISTAKE == "raise" and self.asked[1] == "call":
            answers.append("raise")
        return [{"event": answer, "choice": {}} for answer in answers]

    def move(self, event: str, card: str) -> None:
        """Make a move."""
        self.moves_made += 1
        if event == "draw":
            seat = next(seat for seat in SEATS if self.hands[seat] is None)
            self.hands[seat] = card
            if seat == SEATS[1]:
                self.asked = (SEATS[0], "bet")
            return
        assert self.asked
        who, what = self.asked
        other = SEATS[1 - SEATS.index(who)]
        if event == "yes":
            self.staked[who] = 3 if MISTAKE == "stakes" and what == "call" else 2
            if what == "call":
                self.show()
            else:
                self.asked = (who if MISTAKE == "turn" else other, "call")
        elif what == "call":
            self.end(other)
        elif who == SEATS[0]:
            self.asked = (other, "bet")
        else:
            self.show()

    def show(self) -> None:
        """Compare the cards."""
        order = sorted(SEATS, key=lambda seat: RANK[self.hands[seat] or ""])
        self.end(order[0 if MISTAKE == "winner" else 1])

    def end(self, winner: str) -> None:
        """End the game."""
        self.winner = winner
        self.asked = None

    def state(self, seat: str | None) -> dict[str, Any]:
        """Show everything, or what a seat sees."""
        hands = {each: {card: 1} if card else {} for each, card in self.hands.items()}
        deck = dict.fromkeys(self.deck(), 1)
        shown = {"hand": hands, "deck": deck, "staked": self.staked}
        if seat and MISTAKE != "leak":
            shown["deck"] = {"size": len(deck)}
            shown["hand"] = {each: hand if each == seat else {"size": len(hand)}
                             for each, hand in hands.items()}
        if seat:
            return {"state": shown}
        mover = self.asked[0] if self.asked else None if self.winner else "chance"
        over = self.winner is not None and MISTAKE != "over"
        return {"state": shown, "to_move": mover,
                "result": {"over": over, "winners": [self.winner] if over else []}}


def breaks(table: Table) -> None:
    """Break after the third move of a game, in the way that is asked for."""
    if table.moves_made < 3:
        return
    if MISTAKE == "dies":
        print("no such seat", file=sys.stderr)
        os._exit(3)
    if MISTAKE == "hangs":
        time.sleep(60)
    if MISTAKE == "garbage":
        print("Traceback (most recent call last):", flush=True)


def main() -> None:
    """Answer each line."""
    table = Table()
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, Any] = {"ok": True}
        if request["do"] == "game":
            table = Table()
        elif request["do"] == "set" and MISTAKE != "cannot set":
            table = Table()
            table.set(request["state"], request["to_move"], request["window"].get("asks", ""))
        elif request["do"] == "moves":
            answer = {"moves": table.moves()}
        elif request["do"] == "move":
            choice = request["move"]["choice"]
            table.move(request["move"]["event"], choice.get("card", {}).get("card"))
            breaks(table)
        elif request["do"] == "state":
            answer = table.state(request.get("seat"))
        else:
            answer = {"unsupported": "not here"}
        number = request["id"] + (MISTAKE == "out of step")
        print(json.dumps({"id": number, **answer}), flush=True)


main()
