# made by npm run generate
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

if TYPE_CHECKING:
    from muster.caller import Caller, EventStream
    from muster.byte_answer import ByteAnswer, Content
    from muster.generated.types import *


class Agents:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListAnswer:
        """Every agent the daemon can drive.

        Each with what it can do, whether it is installed and whether a key or login for it was found.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("agents.list", fields, timeout)

    def get(
        self,
        agent: Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str],
        *,
        timeout: Optional[float] = None,
    ) -> AgentInfo:
        """One agent.

        What it can do, whether it is installed, and whether a key or login for it was found.

        Args:
            agent: An agent's id
        """
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return self._caller.call("agents.get", fields, timeout)

    def install(
        self,
        agent: Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str],
        *,
        version: Optional[str] = None,
        reinstall: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> InstalledAgent:
        """Installs and verifies an agent.

        Downloads the agent's program, verifies it and keeps it in the daemon's data directory. A session does so by itself when its agent is missing; this does it ahead of time.

        Args:
            agent: An agent's id
            version: This version, or latest; default: the one that is there, or the newest
            reinstall: Downloads it again, also when it is there
        """
        fields: Dict[str, Any] = {
            "agent": agent,
            "version": version,
            "reinstall": reinstall,
        }
        return self._caller.call("agents.install", fields, timeout)

    def uninstall(
        self,
        agent: Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str],
        *,
        version: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> UninstalledAgent:
        """Removes what the daemon has installed of an agent.

        Refused while sessions of the agent are at work. Programs that the daemon did not install are left alone.

        Args:
            agent: An agent's id
            version: Only this version; all of them by default
        """
        fields: Dict[str, Any] = {
            "agent": agent,
            "version": version,
        }
        return self._caller.call("agents.uninstall", fields, timeout)

    def list_models(
        self,
        agent: Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str],
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListModelsAnswer:
        """The models an agent offers.

        Asks the agent itself, so it must be installed; what it offers depends on the key or login it has.

        Args:
            agent: An agent's id
        """
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return self._caller.call("agents.listModels", fields, timeout)

    def list_modes(
        self,
        agent: Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str],
        *,
        timeout: Optional[float] = None,
    ) -> AgentsListModesAnswer:
        """The modes an agent offers.

        What can be given as agentMode when a session is created or changed.

        Args:
            agent: An agent's id
        """
        fields: Dict[str, Any] = {
            "agent": agent,
        }
        return self._caller.call("agents.listModes", fields, timeout)


class Sessions:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        session_id: Optional[str] = None,
        *,
        agent: AgentName,
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
        budget_group: Optional[str] = None,
        route: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CreatedSession:
        """Creates a session and starts its agent; without an id one is made.

        Creating a session again under the same id with the same settings gives the one that is there. Secrets (token, env, mcp) stay in memory and must be given again after a restart of the daemon. When the agent cannot be started the session exists all the same, with healthy: false and error.

        Args:
            session_id: The session's id: your own, or one the daemon made
            reuse: Takes the id again of a session that was deleted
            agent: Who works: claude, codex, opencode, amp, codebuff, mock
            model: Which model; `agents list-models` names them
            agent_mode: What the agent does: build, plan …; `agents list-modes` names them
            variant: How hard the model thinks: low, medium, high, xhigh
            permission_mode: default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing
            title: A name for people
            limits: Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5,"budgetTokens":2000000,"requestsPerMinute":60}
            token: The agent's API key for this session; kept in memory only
            env: Further variables of the agent's environment
            mcp: MCP servers by name: {"files":{"command":"mcp-files","args":["."],"env":{}},"web":{"url":"https://…","headers":{}}}
            dangerously_skip_permissions: true asks nothing, whatever permissionMode says
            base_url: The model endpoint, without a version path such as /v1
            validate_token: Asks the provider whether it takes the token
            agent_version: This version of the agent, installed if it is not there
            directory: Where the agent works; must exist; default: the daemon's
            system_prompt: Appended to the agent's own
            agent_options: The agent's own settings
            budget_group: Sessions of one group share their budget: limits hold for what all of them spend
            route: The route of routes.yaml that its model requests take
        """
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
            "budgetGroup": budget_group,
            "route": route,
        }
        return self._caller.call("sessions.create", fields, timeout)

    def list(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        state: Optional[SessionState] = None,
        agent: Optional[AgentName] = None,
        directory: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Literal["created", "used", "waiting", "updated"]] = None,
        timeout: Optional[float] = None,
    ) -> SessionsListAnswer:
        """Sessions in the order they were created, or the last used first, or first those that wait for a person.

        In pages: give the last id of one page as after for the next.

        Args:
            after: The last session id of the page before
            limit: How many; 100 by default
            state: Only those in this state
            agent: Only those of this agent
            directory: Only those that work in this directory
            search: Only those whose name, id or directory has all these words; without a title the first message is the name
            order: created: oldest first; used: last used first; waiting: those that wait for a person, then as used; updated: the old word for used
        """
        fields: Dict[str, Any] = {
            "after": after,
            "limit": limit,
            "state": state,
            "agent": agent,
            "directory": directory,
            "search": search,
            "order": order,
        }
        return self._caller.call("sessions.list", fields, timeout)

    def get(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> Session:
        """One session.

        How it stands: state, open turn, queue, requests that wait, tokens and cost.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return self._caller.call("sessions.get", fields, timeout)

    def usage(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> UsageReport:
        """What its model requests cost, as the gateway counted them.

        In all, and by model, turn and sub-agent. What is open is counted by estimate, and so is what was cut.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return self._caller.call("sessions.usage", fields, timeout)

    def update(
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
        """Changes model, mode, variant, permission mode, title, limits or secrets.

        What the agent takes while it runs changes at once; for the rest a new process is started at the next message. What is absent stays as it is.

        Args:
            session_id: The session's id: your own, or one the daemon made
            model: Which model; `agents list-models` names them
            agent_mode: What the agent does: build, plan …; `agents list-modes` names them
            variant: How hard the model thinks: low, medium, high, xhigh
            permission_mode: default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing
            title: A name for people
            limits: Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5,"budgetTokens":2000000,"requestsPerMinute":60}
            token: The agent's API key for this session; kept in memory only
            env: Further variables of the agent's environment
            mcp: MCP servers by name: {"files":{"command":"mcp-files","args":["."],"env":{}},"web":{"url":"https://…","headers":{}}}
        """
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
        return self._caller.call("sessions.update", fields, timeout)

    def delete(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Kills the agent, ends the readers, removes the log.

        For good: an id that was deleted is not taken again unless reuse is given.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        self._caller.call("sessions.delete", fields, timeout)

    def send_message(
        self,
        session_id: str,
        *,
        message: str,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
        timeout: Optional[float] = None,
    ) -> SentMessage:
        """Accepts a message; answers when it is safe on disk.

        What becomes of it is told by events: read them from the sequence in the answer. With a messageId of your own, sending it again is harmless.

        Args:
            session_id: The session's id: your own, or one the daemon made
            message: What the agent is told
            attachments: A file: {"path":"/on/the/daemon.png","mime":"image/png"}, or its content: {"data":"<base64>","mime":…}
            message_id: Makes a retry harmless: the same message with the same id is given once
            delivery: queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "message": message,
            "attachments": attachments,
            "messageId": message_id,
            "delivery": delivery,
        }
        return self._caller.call("sessions.sendMessage", fields, timeout)

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
    ) -> EventStream:
        """Sends a message and streams the events until its turn has ended.

        The stream begins with the message's own event and ends with turn.ended. Leaving it does not interrupt the turn.

        Args:
            session_id: The session's id: your own, or one the daemon made
            raw: Adds the agent's own message to each event
            deltas: false leaves out item.delta
            message: What the agent is told
            attachments: A file: {"path":"/on/the/daemon.png","mime":"image/png"}, or its content: {"data":"<base64>","mime":…}
            message_id: Makes a retry harmless: the same message with the same id is given once
            delivery: queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open
        """
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

    def get_messages(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> SessionsGetMessagesAnswer:
        """The conversation, folded from the log.

        The whole conversation at once, for those who want what was said and not how it came about.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return self._caller.call("sessions.getMessages", fields, timeout)

    def get_attachment(
        self,
        session_id: str,
        attachment: str,
        *,
        timeout: Optional[float] = None,
    ) -> SessionsGetAttachmentAnswer:
        """The content of a file that came with a message.

        Only what was sent as data is kept by the daemon; a file that was attached by its path lies where it lay. Name and media type stand in the message.

        Args:
            session_id: The session's id: your own, or one the daemon made
            attachment: The last part of the path that its message names
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "attachment": attachment,
        }
        return self._caller.call("sessions.getAttachment", fields, timeout)

    def cancel_message(
        self,
        session_id: str,
        message_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Takes back a message that is still queued.

        A message that was given to the agent already cannot be taken back; interrupt its turn instead.

        Args:
            session_id: The session's id: your own, or one the daemon made
            message_id: The message to take back
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "messageId": message_id,
        }
        self._caller.call("sessions.cancelMessage", fields, timeout)

    def get_events(
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
        """A page of events.

        Events behind offset, oldest first. With as, lines of another agent's own protocol in their place.

        Args:
            session_id: The session's id: your own, or one the daemon made
            offset: The last sequence seen; 0 is the beginning
            raw: Adds the agent's own message to each event
            deltas: false leaves out item.delta
            as_: Gives them as lines of this agent's own protocol
            limit: How many; 1000 by default
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "offset": offset,
            "raw": raw,
            "deltas": deltas,
            "as": as_,
            "limit": limit,
        }
        return self._caller.call("sessions.getEvents", fields, timeout)

    def stream_events(
        self,
        session_id: str,
        *,
        offset: Optional[int] = None,
        raw: Optional[bool] = None,
        deltas: Optional[bool] = None,
        as_: Optional[str] = None,
    ) -> EventStream:
        """All events from an offset on, then live; stays open over turns and lives.

        Server-sent events; the id of each is its sequence. Connect again with Last-Event-ID or offset and nothing is lost or told twice.

        Args:
            session_id: The session's id: your own, or one the daemon made
            offset: The last sequence seen; 0 is the beginning
            raw: Adds the agent's own message to each event
            deltas: false leaves out item.delta
            as_: Gives them as lines of this agent's own protocol
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "offset": offset,
            "raw": raw,
            "deltas": deltas,
            "as": as_,
        }
        return self._caller.stream("sessions.streamEvents", fields)

    def list_requests(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PendingRequests:
        """Questions and permissions that wait for a person.

        What a person is asked right now, also when the events were read by somebody else.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return self._caller.call("sessions.listRequests", fields, timeout)

    def reply_question(
        self,
        session_id: str,
        question_id: str,
        *,
        answers: List[List[str]],
        edited_text: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Answers a question; the first valid answer wins.

        Later answers get 409 already_resolved. A plan is answered with approve, approve_edits or reject, or in words.

        Args:
            session_id: The session's id: your own, or one the daemon made
            question_id: The id in question.requested
            answers: One array per question: option labels or ids, or own text where the question allows it; empty is no answer
            edited_text: The plan as edited by the person, for a plan approval
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "questionId": question_id,
            "answers": answers,
            "editedText": edited_text,
        }
        self._caller.call("sessions.replyQuestion", fields, timeout)

    def reject_question(
        self,
        session_id: str,
        question_id: str,
        *,
        message: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Declines to answer a question.

        The agent is told, and goes on without an answer.

        Args:
            session_id: The session's id: your own, or one the daemon made
            question_id: The id in question.requested
            message: Told to the agent
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "questionId": question_id,
            "message": message,
        }
        self._caller.call("sessions.rejectQuestion", fields, timeout)

    def reply_permission(
        self,
        session_id: str,
        permission_id: str,
        *,
        reply: Literal["once", "always", "reject"],
        message: Optional[str] = None,
        automatic: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Allows once, allows always in this session, or rejects.

        Later answers get 409 already_resolved. What always grants is listed in the request's alwaysScope.

        Args:
            session_id: The session's id: your own, or one the daemon made
            permission_id: The id in permission.requested
            reply: always: for the rest of the session, what alwaysScope says
            message: Told to the agent with a rejection
            automatic: true tells that no person decided: the log says by client, not by user
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "permissionId": permission_id,
            "reply": reply,
            "message": message,
            "automatic": automatic,
        }
        self._caller.call("sessions.replyPermission", fields, timeout)

    def interrupt(
        self,
        session_id: str,
        *,
        queue: Optional[Literal["keep", "cancel"]] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends the open turn.

        Returns when the turn has ended, or at once when none is open. What the agent has done so far stays.

        Args:
            session_id: The session's id: your own, or one the daemon made
            queue: What happens to queued messages; keep by default
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "queue": queue,
        }
        self._caller.call("sessions.interrupt", fields, timeout)

    def terminate(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends the agent's life; a later message starts a new one.

        Ends the agent's process and what it started. The conversation stays, and the agent goes on with it where it can.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        self._caller.call("sessions.terminate", fields, timeout)

    def rewind(
        self,
        session_id: str,
        *,
        to: int,
        files: Optional[bool] = None,
        chat: Optional[bool] = None,
        preview: Optional[bool] = None,
        interrupt: Optional[bool] = None,
        force: Optional[List[str]] = None,
        timeout: Optional[float] = None,
    ) -> SessionsUndoRewindAnswer:
        """Takes the conversation and the files back to the end of a turn.

        Files that a person or another session changed since are conflicts: then nothing is done, and the answer names them. While a turn runs, a request waits or messages are queued it is refused with session_busy, unless interrupt ends them first. What was said stays in the log, marked as rewound; what it cost stays counted.

        Args:
            session_id: The session's id: your own, or one the daemon made
            to: The turn after which the session goes on; turns count from 1, 0 is the beginning
            files: Rewinds the files; both, when neither files nor chat is named
            chat: Rewinds the conversation; both, when neither files nor chat is named
            preview: Tells what would change, and changes nothing
            interrupt: Ends the open turn, its requests and the queue first
            force: Files that are rewound although somebody else changed them
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "to": to,
            "files": files,
            "chat": chat,
            "preview": preview,
            "interrupt": interrupt,
            "force": force,
        }
        return self._caller.call("sessions.rewind", fields, timeout)

    def undo_rewind(
        self,
        session_id: str,
        *,
        undo: Optional[str] = None,
        force: Optional[List[str]] = None,
        timeout: Optional[float] = None,
    ) -> SessionsUndoRewindAnswer:
        """Takes the last rewind back.

        As long as no turn has begun since. Files that somebody changed since are conflicts, as in a rewind.

        Args:
            session_id: The session's id: your own, or one the daemon made
            undo: Which rewind; by default the last one
            force: Files that are brought back although somebody else changed them
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "undo": undo,
            "force": force,
        }
        return self._caller.call("sessions.undoRewind", fields, timeout)

    def fork(
        self,
        source_id: str,
        *,
        at: Optional[int] = None,
        session_id: Optional[str] = None,
        directory: Optional[str] = None,
        worktree: Optional[bool] = None,
        times: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> SessionsForkAnswer:
        """Makes sessions that go on from a turn of this one.

        A fork has the events up to that turn as its own, and its agent remembers what was said up to there. With directory it works in a copy of the files as they were then. The session itself stays as it is.

        Args:
            source_id: The session's id: your own, or one the daemon made
            at: After which turn it begins; by default the last one that is over
            session_id: Its id; with times the further ones are numbered: -2, -3 …
            directory: Where it works: a directory that does not exist yet, made as the session's was; by default the same one
            worktree: Makes the directory as a git worktree instead of a copy
            times: How many of them; with directory those are numbered: -2, -3 …
        """
        fields: Dict[str, Any] = {
            "sourceId": source_id,
            "at": at,
            "sessionId": session_id,
            "directory": directory,
            "worktree": worktree,
            "times": times,
        }
        return self._caller.call("sessions.fork", fields, timeout)

    def hand_over(
        self,
        session_id: str,
        *,
        agent: AgentName,
        model: Optional[str] = None,
        foreign_calls: Optional[Literal["calls", "text"]] = None,
        token: Optional[str] = None,
        base_url: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SessionsHandOverAnswer:
        """Lets another agent go on with the session.

        The new agent gets the conversation as the log has it, without what was rewound. A key that the session was given is the old agent's and is forgotten.

        Args:
            session_id: The session's id: your own, or one the daemon made
            agent: Who goes on
            model: With which model; by default the agent's own
            foreign_calls: How the other agent's tool calls are told: as calls (default), or as text
            token: The new agent's API key for this session; kept in memory only
            base_url: The new agent's model endpoint; by default the one it has without a session
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "agent": agent,
            "model": model,
            "foreignCalls": foreign_calls,
            "token": token,
            "baseUrl": base_url,
        }
        return self._caller.call("sessions.handOver", fields, timeout)

    def changes(
        self,
        session_id: str,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        other: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SessionsChangesAnswer:
        """How the files differ between the ends of two turns, and who changed them.

        With other the comparison goes to a turn of another session; from and to are then the last turns that are over by default.

        Args:
            session_id: The session's id: your own, or one the daemon made
            from_: The end of this turn; 0, the beginning, by default
            to: The end of that turn; by default as the files are now
            other: A session, such as a fork of this one, whose turn `to` is; by default this one
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
            "from": from_,
            "to": to,
            "other": other,
        }
        return self._caller.call("sessions.changes", fields, timeout)


class Events:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def stream(
        self,
        *,
        sessions: Optional[str] = None,
        deltas: Optional[bool] = None,
    ) -> EventStream:
        """Live events of all or the named sessions; without names only state changes and requests.

        For dashboards: follows many sessions over one connection. With sessions all of their events are told; without, only state changes and requests, from now on.

        Args:
            sessions: Session ids, separated by commas
            deltas: false leaves out item.delta
        """
        fields: Dict[str, Any] = {
            "sessions": sessions,
            "deltas": deltas,
        }
        return self._caller.stream("events.stream", fields)


class Ui:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get_messages(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> UiHistory:
        """The conversation as messages of the AI SDK, for useChat({ messages }).

        What a reloaded page shows. The open turn is left out: useChat gets it with resume, from the beginning of the turn.

        Args:
            session_id: The session's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "sessionId": session_id,
        }
        return self._caller.call("ui.getMessages", fields, timeout)


class Credentials:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> CredentialsListAnswer:
        """Which credentials were found and where; never the secrets.

        By which a person sees why an agent is or is not ready to work.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("credentials.list", fields, timeout)


class Tickets:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        use: Optional[Literal["request", "page"]] = None,
        timeout: Optional[float] = None,
    ) -> TicketsCreateAnswer:
        """A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect.

        So that a web page never learns the token: its server makes a ticket for each request. With a ticket one can read and follow, not change, but for a terminal: there one types, where its maker may.

        Args:
            use: request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes
        """
        fields: Dict[str, Any] = {
            "use": use,
        }
        return self._caller.call("tickets.create", fields, timeout)

    def redeem(
        self,
        *,
        ticket: str,
        timeout: Optional[float] = None,
    ) -> TicketsRedeemAnswer:
        """Takes the ticket of a page and gives it a key to send as its bearer token.

        The key is good for reading and following until it expires.

        Args:
            ticket: Made with use: page; good for one time
        """
        fields: Dict[str, Any] = {
            "ticket": ticket,
        }
        return self._caller.call("tickets.redeem", fields, timeout)


class Tokens:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        scope: Literal["read", "answer", "work", "admin"],
        sessions: Optional[List[str]] = None,
        agents: Optional[List[str]] = None,
        expires_at: Optional[str] = None,
        name: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CreatedToken:
        """Makes an access token with a scope, for all or for some sessions and agents.

        The token itself is told this once. It ends when it is revoked or expires.

        Args:
            scope: read sees; answer also replies to questions and permissions; work also creates and sends; admin does all
            sessions: Only these sessions; every one by default
            agents: Only sessions of these agents
            expires_at: When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default
            name: What it is for, in lists
        """
        fields: Dict[str, Any] = {
            "scope": scope,
            "sessions": sessions,
            "agents": agents,
            "expiresAt": expires_at,
            "name": name,
        }
        return self._caller.call("tokens.create", fields, timeout)

    def list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> TokensListAnswer:
        """The access tokens that let in, without the tokens themselves.

        With what each may do and when it was last used.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("tokens.list", fields, timeout)

    def revoke(
        self,
        token_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends an access token and the streams it has open.

        At once, also for streams that are open.

        Args:
            token_id: The id in the list
        """
        fields: Dict[str, Any] = {
            "tokenId": token_id,
        }
        self._caller.call("tokens.revoke", fields, timeout)


class Processes:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def run(
        self,
        *,
        command: str,
        args: Optional[List[str]] = None,
        directory: Optional[str] = None,
        env: Optional[Dict[str, str]] = None,
        owner: Optional[str] = None,
        input: Optional[str] = None,
        max_output: Optional[int] = None,
        limits: Optional[ProcessLimits] = None,
        timeout: Optional[float] = None,
    ) -> ProcessesRunAnswer:
        """Runs a program to its end and answers with its exit code and its outputs.

        Beyond maxOutput the outputs in the answer are cut; all of it is in the log of the process, which is kept under its id. A limit that is reached ends the program, and the answer says so.

        Args:
            command: The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c
            args: Its arguments
            directory: Where it runs; the directory of its session, or the daemon's
            env: Added to the variables that agents get too; they are kept nowhere
            owner: The session it belongs to: it ends with that; without one it is the daemon's
            input: Written to it, followed by the end of input
            max_output: How many bytes of each output are in the answer; 1 MiB by default, the rest is in its log
            limits: What a process may use; behind a limit it is ended, with all it has started
        """
        fields: Dict[str, Any] = {
            "command": command,
            "args": args,
            "directory": directory,
            "env": env,
            "owner": owner,
            "input": input,
            "maxOutput": max_output,
            "limits": limits,
        }
        return self._caller.call("processes.run", fields, timeout)

    def start(
        self,
        process_id: Optional[str] = None,
        *,
        command: str,
        args: Optional[List[str]] = None,
        directory: Optional[str] = None,
        env: Optional[Dict[str, str]] = None,
        owner: Optional[str] = None,
        pty: Optional[TerminalSize] = None,
        limits: Optional[ProcessLimits] = None,
        timeout: Optional[float] = None,
    ) -> Process:
        """Starts a process; without an id one is made.

        It runs until it ends, is ended, or its owner ends. All it writes is numbered and kept, and can be read while it runs and afterwards. When the daemon is killed it lives on, and the next daemon takes it over.

        Args:
            process_id: The process's id: your own, or one the daemon made
            command: The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c
            args: Its arguments
            directory: Where it runs; the directory of its session, or the daemon's
            env: Added to the variables that agents get too; they are kept nowhere
            owner: The session it belongs to: it ends with that; without one it is the daemon's
            pty: It gets a terminal of this size in place of pipes
            limits: What a process may use; behind a limit it is ended, with all it has started
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "command": command,
            "args": args,
            "directory": directory,
            "env": env,
            "owner": owner,
            "pty": pty,
            "limits": limits,
        }
        return self._caller.call("processes.start", fields, timeout)

    def list(
        self,
        *,
        owner: Optional[str] = None,
        state: Optional[Literal["running", "ended"]] = None,
        timeout: Optional[float] = None,
    ) -> ProcessesListAnswer:
        """Processes in the order they were started.

        Those that run, and those that have ended and are kept.

        Args:
            owner: Only those of this session
            state: Only those in this state
        """
        fields: Dict[str, Any] = {
            "owner": owner,
            "state": state,
        }
        return self._caller.call("processes.list", fields, timeout)

    def get(
        self,
        process_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> Process:
        """One process.

        Whether it runs, how much it has written, and how it ended.

        Args:
            process_id: The process's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
        }
        return self._caller.call("processes.get", fields, timeout)

    def wait(
        self,
        process_id: str,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Process:
        """Answers when the process has ended, or the time is over.

        The state in the answer tells which of the two it was. The process itself goes on.

        Args:
            process_id: The process's id: your own, or one the daemon made
            timeout_ms: 60,000 by default
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "timeoutMs": timeout_ms,
        }
        return self._caller.call("processes.wait", fields, timeout)

    def get_logs(
        self,
        process_id: str,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        text: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> ProcessesGetLogsAnswer:
        """A page of what a process has written, from any byte on.

        offset counts the bytes of all its output together. The page ends at a piece of output; next is the offset for the page after it.

        Args:
            process_id: The process's id: your own, or one the daemon made
            offset: How many bytes to leave out; 0 is the beginning
            limit: About how many bytes of output; 1 MiB by default
            text: Gives text in place of data wherever the bytes are whole characters
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "offset": offset,
            "limit": limit,
            "text": text,
        }
        return self._caller.call("processes.getLogs", fields, timeout)

    def stream_logs(
        self,
        process_id: str,
        *,
        offset: Optional[int] = None,
        text: Optional[bool] = None,
    ) -> EventStream:
        """What a process writes, from any byte on, then live; ends with the process.

        Server-sent events; the id of each is the offset behind it. Connect again with Last-Event-ID or offset and no byte is lost or told twice, also when the daemon was started anew in between.

        Args:
            process_id: The process's id: your own, or one the daemon made
            offset: How many bytes to leave out; 0 is the beginning
            text: Gives text in place of data wherever the bytes are whole characters
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "offset": offset,
            "text": text,
        }
        return self._caller.stream("processes.streamLogs", fields)

    def input(
        self,
        process_id: str,
        *,
        text: Optional[str] = None,
        data: Optional[str] = None,
        end: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Writes to the input of a process, or to its terminal.

        Answers when what holds the process has it. A process that reads nothing is given 1 MiB at most.

        Args:
            process_id: The process's id: your own, or one the daemon made
            text: What to write
            data: The same as bytes in base64
            end: Ends its input afterwards; in a terminal this presses Ctrl-D
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "text": text,
            "data": data,
            "end": end,
        }
        self._caller.call("processes.input", fields, timeout)

    def signal(
        self,
        process_id: str,
        *,
        signal: Optional[Literal["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT", "SIGWINCH"]] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Sends a signal to a process and its group.

        What becomes of it is told by its end. To be sure that it and all it started are gone, delete it.

        Args:
            process_id: The process's id: your own, or one the daemon made
            signal: SIGTERM by default
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "signal": signal,
        }
        self._caller.call("processes.signal", fields, timeout)

    def resize(
        self,
        process_id: str,
        *,
        columns: int,
        rows: int,
        timeout: Optional[float] = None,
    ) -> None:
        """Gives the terminal of a process another size.

        For all who look at it.

        Args:
            process_id: The process's id: your own, or one the daemon made
            columns: Characters in a row
            rows: Rows on the screen
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "columns": columns,
            "rows": rows,
        }
        self._caller.call("processes.resize", fields, timeout)

    def end(
        self,
        process_id: str,
        *,
        grace_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Process:
        """Ends a process and all it has started; its log stays.

        Asks first, and kills what is left when the time is over. Answers when all are verified dead.

        Args:
            process_id: The process's id: your own, or one the daemon made
            grace_ms: How long it may take to end by itself; 2,000 by default
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "graceMs": grace_ms,
        }
        return self._caller.call("processes.end", fields, timeout)

    def delete(
        self,
        process_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Ends a process with all it has started, and removes its log.

        For good. Readers of its log end.

        Args:
            process_id: The process's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
        }
        self._caller.call("processes.delete", fields, timeout)

    def ports(
        self,
        process_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> ProcessesPortsAnswer:
        """The ports a process and all it has started listen on.

        Found in /proc: the sockets that these processes have open.

        Args:
            process_id: The process's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
        }
        return self._caller.call("processes.ports", fields, timeout)


class Terminals:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def screen(
        self,
        process_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> TerminalScreen:
        """What is on the terminal of a process, as text with styles.

        Also after its end. For a person who wants to look and type there is the WebSocket at /processes/{processId}/attach.

        Args:
            process_id: The process's id: your own, or one the daemon made
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
        }
        return self._caller.call("terminals.screen", fields, timeout)

    def recording(
        self,
        process_id: str,
        *,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """What was written to the terminal, as an asciicast for players of recordings.

        Version 2 of that format. 64 MiB of output at most; give the offset for what follows.

        Args:
            process_id: The process's id: your own, or one the daemon made
            offset: How many bytes of output to leave out
        """
        fields: Dict[str, Any] = {
            "processId": process_id,
            "offset": offset,
        }
        return self._caller.call("terminals.recording", fields, timeout)


class Files:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        recursive: Optional[bool] = None,
        ignored: Optional[bool] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        after_bytes: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> FilesListAnswer:
        """What a directory holds.

        In the order of the bytes of the names, a directory before what is in it. In pages: give the path of the last entry as after for the next.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            recursive: With everything below it; links are told and not followed
            ignored: false leaves out what .gitignore files name, and .git
            limit: How many; 1000 by default
            after: The path of the last entry of the page before
            after_bytes: The same in base64, where that is no UTF-8
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "recursive": recursive,
            "ignored": ignored,
            "limit": limit,
            "after": after,
            "afterBytes": after_bytes,
        }
        return self._caller.call("files.list", fields, timeout)

    def stat(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> FileEntry:
        """What a path names.

        Of a link itself, not of what it points to.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
        }
        return self._caller.call("files.stat", fields, timeout)

    def read(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        range: Optional[str] = None,
        if_none_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ByteAnswer:
        """The bytes of a file.

        With Range one part of them; with If-None-Match nothing (304) where they are those of that ETag.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            range: One range of bytes, such as bytes=0-99 or bytes=-100
            if_none_match: Only if the file has another ETag than these
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "range": range,
            "ifNoneMatch": if_none_match,
        }
        return self._caller.open_bytes("files.read", fields, timeout)

    def write(
        self,
        *,
        content: Content,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        mode: Optional[str] = None,
        parents: Optional[bool] = None,
        if_match: Optional[str] = None,
        if_none_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WrittenFile:
        """Writes a file, whole or not at all.

        Readers see the old content or the new one. With If-Match it is written only over what the caller has seen, with If-None-Match: * only where nothing is. The answer is 201 for a new file and has its ETag.

        Args:
            content: The bytes that are sent
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            mode: Its permissions in octal; those it had, or 644, by default
            parents: Makes the directories above it that are missing
            if_match: Only if the file has this ETag, or with * if there is a file
            if_none_match: * writes only where there is no file
        """
        fields: Dict[str, Any] = {
            "content": content,
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "mode": mode,
            "parents": parents,
            "ifMatch": if_match,
            "ifNoneMatch": if_none_match,
        }
        return self._caller.call("files.write", fields, timeout)

    def append(
        self,
        *,
        content: Content,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WrittenFile:
        """Adds bytes to the end of a file.

        In one piece of at most 32 MiB. A file that is not there is made.

        Args:
            content: The bytes that are sent
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
        """
        fields: Dict[str, Any] = {
            "content": content,
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
        }
        return self._caller.call("files.append", fields, timeout)

    def make_directory(
        self,
        *,
        path: str,
        session: Optional[str] = None,
        parents: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> FileEntry:
        """Makes a directory.

        One that is there already is refused, but with parents it is as good as one that is made.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory
            parents: Makes those above it that are missing
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "parents": parents,
        }
        return self._caller.call("files.makeDirectory", fields, timeout)

    def move(
        self,
        *,
        from_: str,
        to: str,
        session: Optional[str] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> FileEntry:
        """Moves or renames a file or directory.

        In one step, on the same disk. A link is moved itself.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            from_: What there is: absolute, or relative to the session's directory
            to: What it is to be: the new path itself, not the directory it goes to
            overwrite: Whether a file that is there may be replaced; false by default
        """
        fields: Dict[str, Any] = {
            "session": session,
            "from": from_,
            "to": to,
            "overwrite": overwrite,
        }
        return self._caller.call("files.move", fields, timeout)

    def copy(
        self,
        *,
        from_: str,
        to: str,
        session: Optional[str] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> FileEntry:
        """Copies a file or directory.

        A directory with everything in it, links as links; pipes, sockets and devices are left out. What is there is replaced only as a file by a file.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            from_: What there is: absolute, or relative to the session's directory
            to: What it is to be: the new path itself, not the directory it goes to
            overwrite: Whether a file that is there may be replaced; false by default
        """
        fields: Dict[str, Any] = {
            "session": session,
            "from": from_,
            "to": to,
            "overwrite": overwrite,
        }
        return self._caller.call("files.copy", fields, timeout)

    def delete(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        recursive: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Deletes a file, a link or a directory.

        A directory that holds something only with recursive. Of a link the link, not what it points to.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            recursive: With everything in it
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "recursive": recursive,
        }
        self._caller.call("files.delete", fields, timeout)

    def download(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        format: Optional[Literal["tar", "tar.gz", "zip"]] = None,
        ignored: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> ByteAnswer:
        """A directory as one archive.

        Streamed while it is read. Links are links in it; pipes, sockets and devices are left out.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            format: tar by default
            ignored: false leaves out what .gitignore files name, and .git
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "format": format,
            "ignored": ignored,
        }
        return self._caller.open_bytes("files.download", fields, timeout)

    def upload(
        self,
        *,
        content: Content,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        format: Optional[Literal["tar", "tar.gz"]] = None,
        timeout: Optional[float] = None,
    ) -> UploadedTree:
        """Unpacks an archive into a directory.

        Put in place when all of it has come and is sound: an archive that is refused changes nothing. What is there stays beside it, files of the same name are replaced. Refused are names and links that lead out, hard links to what is not in it, and everything that is no file, directory or link.

        Args:
            content: The bytes that are sent
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            format: tar by default
        """
        fields: Dict[str, Any] = {
            "content": content,
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "format": format,
        }
        return self._caller.call("files.upload", fields, timeout)

    def search(
        self,
        *,
        query: str,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        regex: Optional[bool] = None,
        glob: Optional[str] = None,
        ignored: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> FilesSearchAnswer:
        """The lines of files that hold a text.

        Files that hold a zero byte in their first 8 KiB are taken for no text and left out, and so is what .gitignore names.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            query: The text, as it stands
            regex: It is a regular expression; needs ripgrep on the machine
            glob: Only files with such a path, such as *.ts or src/**/*.md
            ignored: true looks also into what .gitignore files name
            limit: How many; 200 by default
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "query": query,
            "regex": regex,
            "glob": glob,
            "ignored": ignored,
            "limit": limit,
        }
        return self._caller.call("files.search", fields, timeout)

    def watch(
        self,
        *,
        session: Optional[str] = None,
        path: Optional[str] = None,
        path_bytes: Optional[str] = None,
        ignored: Optional[bool] = None,
    ) -> EventStream:
        """What changes below a directory.

        Server-sent events, numbered. The first is watching; a stream that is taken up again begins with overflow, because what happened between is not known.

        Args:
            session: Paths are relative to the directory of this session, and nothing else is reached
            path: Absolute, or relative to the session's directory, which it is without a path
            path_bytes: The path in base64, for names that are no UTF-8; in place of path
            ignored: false leaves out what .gitignore files name, and .git
        """
        fields: Dict[str, Any] = {
            "session": session,
            "path": path,
            "pathBytes": path_bytes,
            "ignored": ignored,
        }
        return self._caller.stream("files.watch", fields)


class Methods:
    """Every operation of the daemon as a method: `client.sessions.create(agent="mock")`."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.agents = Agents(caller)
        self.sessions = Sessions(caller)
        self.events = Events(caller)
        self.ui = Ui(caller)
        self.credentials = Credentials(caller)
        self.tickets = Tickets(caller)
        self.tokens = Tokens(caller)
        self.processes = Processes(caller)
        self.terminals = Terminals(caller)
        self.files = Files(caller)

    def health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> HealthAnswer:
        """Tells that the daemon answers.

        For load balancers and probes: answers without a token and without touching a session.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("health", fields, timeout)

    def info(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> InfoAnswer:
        """Name, version and what the daemon serves.

        The daemon's version, the agents it can drive, how it keeps events and since when it runs.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("info", fields, timeout)

    def openapi(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> OpenapiAnswer:
        """This API as OpenAPI 3.1.

        The document that describes every operation, as this daemon serves it.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("openapi", fields, timeout)

    def metrics(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Counters and gauges as Prometheus text.

        For Prometheus: sessions, turns, events, processes and memory. Needs a token for the whole daemon.
        """
        fields: Dict[str, Any] = {}
        return self._caller.call("metrics", fields, timeout)
