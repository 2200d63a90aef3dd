# made by npm run generate
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

if TYPE_CHECKING:
    from muster.aio.caller import AsyncCaller, AsyncEventStream
    from muster.generated.types import *


class AsyncAgents:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListAnswer:
        """Every agent the daemon can drive."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("agents.list", fields, timeout)

    async def get(
        self,
        agent: str,
        *,
        timeout: Optional[float] = None,
    ) -> AgentInfo:
        """One agent."""
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return await self._caller.call("agents.get", fields, timeout)

    async def install(
        self,
        agent: str,
        *,
        version: Optional[str] = None,
        reinstall: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> InstalledAgent:
        """Installs and verifies an agent."""
        fields: Dict[str, Any] = {
            "agent": agent,
            "version": version,
            "reinstall": reinstall,
        }
        return await self._caller.call("agents.install", fields, timeout)

    async def uninstall(
        self,
        agent: str,
        *,
        version: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> AgentsUninstallAnswer:
        """Removes what the daemon has installed of an agent."""
        fields: Dict[str, Any] = {
            "agent": agent,
            "version": version,
        }
        return await self._caller.call("agents.uninstall", fields, timeout)

    async def list_models(
        self,
        agent: str,
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListModelsAnswer:
        """The models an agent offers."""
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return await self._caller.call("agents.listModels", fields, timeout)

    async def list_modes(
        self,
        agent: str,
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListModesAnswer:
        """The modes an agent offers."""
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return await self._caller.call("agents.listModes", fields, timeout)


class AsyncSessions:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self,
        session_id: Optional[str] = None,
        *,
        agent: str,
        reuse: Optional[bool] = None,
        model: Optional[str] = None,
        agent_mode: Optional[str] = None,
        variant: Optional[str] = None,
        permission_mode: Optional[PermissionMode] = None,
        title: Optional[str] = None,
        limits: Optional[Limits] = None,
        token: Optional[str] = None,
        env: Optional[Dict[str, EnvironmentValue]] = None,
        mcp: Optional[Dict[str, McpServer]] = None,
        dangerously_skip_permissions: Optional[bool] = None,
        base_url: Optional[str] = None,
        validate_token: Optional[bool] = None,
        agent_version: Optional[str] = None,
        directory: Optional[str] = None,
        system_prompt: Optional[str] = None,
        agent_options: Optional[Dict[str, Any]] = None,
        timeout: Optional[float] = None,
    ) -> CreatedSession:
        """Creates a session and starts its agent; without an id one is made."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "reuse": reuse,
            "agent": agent,
            "model": model,
            "agentMode": agent_mode,
            "variant": variant,
            "permissionMode": permission_mode,
            "title": title,
            "limits": limits,
            "token": token,
            "env": env,
            "mcp": mcp,
            "dangerouslySkipPermissions": dangerously_skip_permissions,
            "baseUrl": base_url,
            "validateToken": validate_token,
            "agentVersion": agent_version,
            "directory": directory,
            "systemPrompt": system_prompt,
            "agentOptions": agent_options,
        }
        return await self._caller.call("sessions.create", fields, timeout)

    async def list(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        state: Optional[SessionState] = None,
        agent: Optional[str] = None,
        directory: Optional[str] = None,
        order: Optional[Literal["created", "updated"]] = None,
        timeout: Optional[float] = None,
    ) -> SessionsListAnswer:
        """Sessions in the order they were created, or the last used first."""
        fields: Dict[str, Any] = {
            "after": after,
            "limit": limit,
            "state": state,
            "agent": agent,
            "directory": directory,
            "order": order,
        }
        return await self._caller.call("sessions.list", fields, timeout)

    async def get(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> Session:
        """One session."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return await self._caller.call("sessions.get", fields, timeout)

    async def update(
        self,
        session_id: str,
        *,
        model: Optional[str] = None,
        agent_mode: Optional[str] = None,
        variant: Optional[str] = None,
        permission_mode: Optional[PermissionMode] = None,
        title: Optional[str] = None,
        limits: Optional[Limits] = None,
        token: Optional[str] = None,
        env: Optional[Dict[str, EnvironmentValue]] = None,
        mcp: Optional[Dict[str, McpServer]] = None,
        timeout: Optional[float] = None,
    ) -> Session:
        """Changes model, mode, variant, permission mode, title, limits or secrets."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "model": model,
            "agentMode": agent_mode,
            "variant": variant,
            "permissionMode": permission_mode,
            "title": title,
            "limits": limits,
            "token": token,
            "env": env,
            "mcp": mcp,
        }
        return await self._caller.call("sessions.update", fields, timeout)

    async def delete(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Kills the agent, ends the readers, removes the log."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        await self._caller.call("sessions.delete", fields, timeout)

    async def send_message(
        self,
        session_id: str,
        *,
        message: str,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
        timeout: Optional[float] = None,
    ) -> SentMessage:
        """Accepts a message; answers when it is safe on disk."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "message": message,
            "attachments": attachments,
            "messageId": message_id,
            "delivery": delivery,
        }
        return await self._caller.call("sessions.sendMessage", fields, timeout)

    def stream_message(
        self,
        session_id: str,
        *,
        message: str,
        raw: Optional[bool] = None,
        deltas: Optional[bool] = None,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
    ) -> AsyncEventStream:
        """Sends a message and streams the events until its turn has ended."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "raw": raw,
            "deltas": deltas,
            "message": message,
            "attachments": attachments,
            "messageId": message_id,
            "delivery": delivery,
        }
        return self._caller.stream("sessions.streamMessage", fields)

    async def get_messages(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> SessionsGetMessagesAnswer:
        """The conversation, folded from the log."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return await self._caller.call("sessions.getMessages", fields, timeout)

    async def cancel_message(
        self,
        session_id: str,
        message_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Takes back a message that is still queued."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "messageId": message_id,
        }
        await self._caller.call("sessions.cancelMessage", fields, timeout)

    async def get_events(
        self,
        session_id: str,
        *,
        offset: Optional[int] = None,
        raw: Optional[bool] = None,
        deltas: Optional[bool] = None,
        as_: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> SessionsGetEventsAnswer:
        """A page of events."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "offset": offset,
            "raw": raw,
            "deltas": deltas,
            "as": as_,
            "limit": limit,
        }
        return await self._caller.call("sessions.getEvents", fields, timeout)

    def stream_events(
        self,
        session_id: str,
        *,
        offset: Optional[int] = None,
        raw: Optional[bool] = None,
        deltas: Optional[bool] = None,
        as_: Optional[str] = None,
    ) -> AsyncEventStream:
        """All events from an offset on, then live; stays open over turns and lives."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "offset": offset,
            "raw": raw,
            "deltas": deltas,
            "as": as_,
        }
        return self._caller.stream("sessions.streamEvents", fields)

    async def list_requests(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PendingRequests:
        """Questions and permissions that wait for a person."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return await self._caller.call("sessions.listRequests", fields, timeout)

    async def reply_question(
        self,
        session_id: str,
        question_id: str,
        *,
        answers: List[List[str]],
        edited_text: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Answers a question; the first valid answer wins."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "questionId": question_id,
            "answers": answers,
            "editedText": edited_text,
        }
        await self._caller.call("sessions.replyQuestion", fields, timeout)

    async def reject_question(
        self,
        session_id: str,
        question_id: str,
        *,
        message: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Declines to answer a question."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "questionId": question_id,
            "message": message,
        }
        await self._caller.call("sessions.rejectQuestion", fields, timeout)

    async def reply_permission(
        self,
        session_id: str,
        permission_id: str,
        *,
        reply: Literal["once", "always", "reject"],
        message: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Allows once, allows always in this session, or rejects."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "permissionId": permission_id,
            "reply": reply,
            "message": message,
        }
        await self._caller.call("sessions.replyPermission", fields, timeout)

    async def interrupt(
        self,
        session_id: str,
        *,
        queue: Optional[Literal["keep", "cancel"]] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends the open turn."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "queue": queue,
        }
        await self._caller.call("sessions.interrupt", fields, timeout)

    async def terminate(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends the agent's life; a later message starts a new one."""
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        await self._caller.call("sessions.terminate", fields, timeout)


class AsyncEvents:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def stream(
        self,
        *,
        sessions: Optional[str] = None,
        deltas: Optional[bool] = None,
    ) -> AsyncEventStream:
        """Live events of all or the named sessions; without names only state changes and requests."""
        fields: Dict[str, Any] = {
            "sessions": sessions,
            "deltas": deltas,
        }
        return self._caller.stream("events.stream", fields)


class AsyncCredentials:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> CredentialsListAnswer:
        """Which credentials were found and where; never the secrets."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("credentials.list", fields, timeout)


class AsyncTickets:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self,
        *,
        use: Optional[Literal["request", "page"]] = None,
        timeout: Optional[float] = None,
    ) -> TicketsCreateAnswer:
        """A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect."""
        fields: Dict[str, Any] = {
            "use": use,
        }
        return await self._caller.call("tickets.create", fields, timeout)

    async def redeem(
        self,
        *,
        ticket: str,
        timeout: Optional[float] = None,
    ) -> TicketsRedeemAnswer:
        """Takes the ticket of a page and gives it a key to send as its bearer token."""
        fields: Dict[str, Any] = {
            "ticket": ticket,
        }
        return await self._caller.call("tickets.redeem", fields, timeout)


class AsyncTokens:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self,
        *,
        scope: Literal["read", "answer", "work", "admin"],
        sessions: Optional[List[str]] = None,
        agents: Optional[List[str]] = None,
        expires_at: Optional[str] = None,
        name: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CreatedToken:
        """Makes an access token with a scope, for all or for some sessions and agents."""
        fields: Dict[str, Any] = {
            "scope": scope,
            "sessions": sessions,
            "agents": agents,
            "expiresAt": expires_at,
            "name": name,
        }
        return await self._caller.call("tokens.create", fields, timeout)

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> TokensListAnswer:
        """The access tokens that let in, without the tokens themselves."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("tokens.list", fields, timeout)

    async def revoke(
        self,
        token_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends an access token and the streams it has open."""
        fields: Dict[str, Any] = {
            "tokenId": token_id,
        }
        await self._caller.call("tokens.revoke", fields, timeout)


class AsyncMethods:
    """Every operation of the daemon as a method: `client.sessions.create(agent="mock")`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.agents = AsyncAgents(caller)
        self.sessions = AsyncSessions(caller)
        self.events = AsyncEvents(caller)
        self.credentials = AsyncCredentials(caller)
        self.tickets = AsyncTickets(caller)
        self.tokens = AsyncTokens(caller)

    async def health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> HealthAnswer:
        """Tells that the daemon answers."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("health", fields, timeout)

    async def info(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> InfoAnswer:
        """Name, version and what the daemon serves."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("info", fields, timeout)

    async def openapi(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> OpenapiAnswer:
        """This API as OpenAPI 3.1."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("openapi", fields, timeout)

    async def metrics(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Counters and gauges as Prometheus text."""
        fields: Dict[str, Any] = {}
        return await self._caller.call("metrics", fields, timeout)
