"""
Checked by pyright, never run: events narrow by `type` without casts, and what is wrong is told. An ignored error that
is none would be an error itself.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

if TYPE_CHECKING:
    from typing_extensions import assert_type

    import muster
    import muster.aio
    from muster.types import Item, PermissionRequested, ReplyPermission, Session, UniversalEvent

    def narrow(event: UniversalEvent) -> None:
        if event["type"] == "item.delta":
            assert_type(event["data"]["delta"], str)
        elif event["type"] == "item.completed":
            assert_type(event["data"]["item"], Item)
            for part in event["data"]["item"]["content"]:
                if part["type"] == "tool_call":
                    assert_type(part["callId"], str)
        elif event["type"] == "turn.ended":
            event["data"]["item"]  # pyright: ignore[reportGeneralTypeIssues]
            event["data"]["cause"]  # pyright: ignore[reportTypedDictNotRequiredAccess]
            assert_type(event["data"].get("message"), Optional[str])
        elif event["type"] == "no.such":  # pyright: ignore[reportUnnecessaryComparison]
            pass

    def blocking(daemon: muster.SandboxDaemon) -> None:
        session = daemon.session("s1", agent="claude", permission_mode="plan", limits={"budgetUsd": 1})
        for event in session.prompt("hello"):
            narrow(event)
        assert_type(session.ask("hello"), str)
        assert_type(daemon.client.sessions.list()["sessions"], List[Session])
        daemon.client.sessions.create(agent="mock", permission_mode="never")  # pyright: ignore[reportArgumentType]
        daemon.session("s1", agent="claude", mode="plan")  # pyright: ignore[reportCallIssue]

        @session.on_permission
        def answer(request: PermissionRequested) -> ReplyPermission:
            return {"reply": "reject", "message": request["title"]}

        session.on_permission(lambda request: "never")  # pyright: ignore[reportArgumentType]
        session.on_plan(lambda request: {"feedback": "shorter"})
        session.off(answer)

    async def with_asyncio(daemon: muster.aio.AsyncSandboxDaemon) -> None:
        session = daemon.session(agent="claude")
        async for event in session.prompt("hello"):
            narrow(event)
        assert_type(await session.ask("hello"), str)
        assert_type((await daemon.client.sessions.get("s1"))["costUsd"], float)

        @session.on_question
        async def answer(request: object) -> None:
            return None

        session.off(answer)
