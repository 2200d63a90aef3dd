"""Who answers questions and permissions of a session, and what an answer is as a call. No I/O."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, NamedTuple, Optional, Set, Tuple, Union

if TYPE_CHECKING:
    from typing import Literal, TypedDict

    from muster.generated.types import (
        PendingRequests,
        PermissionRequested,
        QuestionRequested,
        ReplyPermission,
        ReplyQuestion,
        UniversalEvent,
    )

    class EditedPlan(TypedDict):
        reply: Literal["approve", "approve_edits"]
        editedText: str

    class PlanFeedback(TypedDict):
        feedback: str

    PermissionAnswer = Union[Literal["once", "always", "reject"], ReplyPermission, None]
    QuestionAnswer = Union[ReplyQuestion, Literal["reject"], None]
    #: To approve a plan, to approve it as edited, to reject it, or to say what should be different.
    PlanAnswer = Union[Literal["approve", "approve_edits", "reject"], EditedPlan, PlanFeedback, None]

    PermissionHandler = Callable[[PermissionRequested], PermissionAnswer]
    QuestionHandler = Callable[[QuestionRequested], QuestionAnswer]
    PlanHandler = Callable[[QuestionRequested], PlanAnswer]
    AsyncPermissionHandler = Callable[[PermissionRequested], Union[PermissionAnswer, Awaitable[PermissionAnswer]]]
    AsyncQuestionHandler = Callable[[QuestionRequested], Union[QuestionAnswer, Awaitable[QuestionAnswer]]]
    AsyncPlanHandler = Callable[[QuestionRequested], Union[PlanAnswer, Awaitable[PlanAnswer]]]

#: Somebody else was faster, or the agent no longer waits: both are fine.
SETTLED = ("already_resolved", "request_not_found")


class HumanRequest(NamedTuple):
    kind: str
    id: str
    data: Any


class HumanRequests:
    """The handlers of one session, and the requests they have been shown."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._handlers: Dict[str, List[Callable[[Any], Any]]] = {"permission": [], "question": [], "plan": []}
        self._shown: Set[str] = set()

    def add(self, kind: str, handler: Callable[[Any], Any]) -> None:
        self._handlers[kind].append(handler)

    def off(self, handler: Callable[[Any], Any]) -> None:
        for handlers in self._handlers.values():
            if handler in handlers:
                handlers.remove(handler)

    def handlers(self, kind: str) -> List[Callable[[Any], Any]]:
        return list(self._handlers[kind])

    def new_in(self, event: UniversalEvent) -> Optional[HumanRequest]:
        """The request in an event that somebody here wants to see and has not been shown."""
        request = _request_in(event)
        if request is None or not self._handlers[request.kind] or request.id in self._shown:
            return None
        self._shown.add(request.id)
        return request

    def reply(self, request: HumanRequest, answer: Any) -> Tuple[str, Dict[str, Any]]:
        """The operation that carries an answer, and its fields."""
        if request.kind == "permission":
            ids = {"sessionId": self._session_id, "permissionId": request.id}
            return "sessions.replyPermission", {**ids, **({"reply": answer} if isinstance(answer, str) else answer)}
        ids = {"sessionId": self._session_id, "questionId": request.id}
        if request.kind == "plan":
            return "sessions.replyQuestion", {**ids, **_plan_reply(answer)}
        if answer == "reject":
            return "sessions.rejectQuestion", ids
        return "sessions.replyQuestion", {**ids, **answer}


def still_waits(request: HumanRequest, pending: PendingRequests) -> bool:
    """Events are also read late and again: only what still waits for a person is shown to one."""
    return any(one["permissionId"] == request.id for one in pending["permissions"]) or any(
        one["questionId"] == request.id for one in pending["questions"]
    )


def resolved_in(event: UniversalEvent) -> Optional[str]:
    if event["type"] == "permission.resolved":
        return event["data"]["permissionId"]
    if event["type"] == "question.resolved":
        return event["data"]["questionId"]
    return None


def _request_in(event: UniversalEvent) -> Optional[HumanRequest]:
    if event["type"] == "permission.requested":
        return HumanRequest("permission", event["data"]["permissionId"], event["data"])
    if event["type"] == "question.requested":
        kind = "plan" if event["data"]["kind"] == "plan_approval" else "question"
        return HumanRequest(kind, event["data"]["questionId"], event["data"])
    return None


def _plan_reply(answer: Any) -> Dict[str, Any]:
    if isinstance(answer, str):
        return {"answers": [[answer]]}
    if "feedback" in answer:
        return {"answers": [[answer["feedback"]]]}
    return {"answers": [[answer["reply"]]], "editedText": answer["editedText"]}
