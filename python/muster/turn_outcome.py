"""What became of one message, read from the events of its session. No I/O."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional

from muster.failures import TurnFailed

if TYPE_CHECKING:
    from muster.generated.types import TurnEnded, UniversalEvent


def new_message_id() -> str:
    return f"msg_{os.urandom(16).hex()}"


class MessageEnd:
    """Follows one message through the events of its session and tells which event is the last that concerns it."""

    def __init__(self, message_id: str) -> None:
        self._message_id = message_id
        self._turn_id: Optional[str] = None

    def is_last(self, event: UniversalEvent) -> bool:
        """True for the end of the turn the message was given to or joined, and when it will never have one."""
        if event["type"] == "message.updated":
            message = event["data"]
            if message["messageId"] != self._message_id:
                return False
            self._turn_id = self._turn_id or message.get("turnId")
            return message["status"] in ("cancelled", "failed")
        if event["type"] == "turn.started":
            if self._message_id in event["data"]["messageIds"]:
                self._turn_id = event["data"]["turnId"]
        elif event["type"] == "turn.ended":
            return event["data"]["turnId"] == self._turn_id
        return False


class FinalText:
    """The answer of a turn: what its agent marked as final, else the last message of the agent itself."""

    def __init__(self) -> None:
        self.text = ""
        self._is_final = False

    def see(self, event: UniversalEvent) -> None:
        if event["type"] != "item.completed":
            return
        item = event["data"]["item"]
        if item["kind"] != "message" or item.get("role") != "assistant" or "parentId" in item:
            return
        is_final = item.get("phase") == "final"
        if item["status"] == "cancelled" or (self._is_final and not is_final):
            return
        self.text = "".join(part["text"] for part in item["content"] if part["type"] == "text")
        self._is_final = is_final


class Outcome:
    """How a turn ended, once that was read."""

    def __init__(self, last: UniversalEvent, text: str) -> None:
        self._text = text
        self._ended: Optional[TurnEnded] = last["data"] if last["type"] == "turn.ended" else None
        is_cancelled = last["type"] == "message.updated" and last["data"]["status"] == "cancelled"
        self._status = "cancelled" if is_cancelled else "failed"

    def ended(self) -> TurnEnded:
        if self._ended is None:
            raise TurnFailed(self._status, None)
        return self._ended

    def text(self) -> str:
        ended = self.ended()
        if ended["status"] != "completed":
            raise TurnFailed(ended["status"], ended)
        return self._text
