/** Made by npm run generate. */
import type { ByteAnswer } from "../byte-answer.ts";
import type { CallOptions } from "../call-options.ts";
import type { Content } from "../content.ts";
import type {
  AgentName,
  SessionState,
  UniversalEvent,
  CreateSession,
  UpdateSession,
  UsageReport,
  Session,
  CreatedSession,
  InterruptSession,
  SendMessage,
  SentMessage,
  PendingRequests,
  ReplyQuestion,
  RejectQuestion,
  ReplyPermission,
  AgentInfo,
  InstallAgent,
  InstalledAgent,
  UninstalledAgent,
  CreateToken,
  CreatedToken,
  SendUi,
  UiChunk,
  UiHistory,
  StartProcess,
  RunProcess,
  Process,
  ProcessChunk,
  TerminalScreen,
  FileEntry,
  WrittenFile,
  UploadedTree,
  FileChange,
  HealthAnswer,
  InfoAnswer,
  OpenapiAnswer,
  AgentsListAnswer,
  AgentsListModelsAnswer,
  AgentsListModesAnswer,
  SessionsListAnswer,
  SessionsGetMessagesAnswer,
  SessionsGetAttachmentAnswer,
  SessionsGetEventsAnswer,
  RewindSession,
  UndoRewind,
  SessionsUndoRewindAnswer,
  ForkSession,
  SessionsForkAnswer,
  HandOver,
  SessionsHandOverAnswer,
  SessionsChangesAnswer,
  CredentialsListAnswer,
  CreateTicket,
  TicketsCreateAnswer,
  RedeemTicket,
  TicketsRedeemAnswer,
  TokensListAnswer,
  ProcessesRunAnswer,
  ProcessesListAnswer,
  ProcessesGetLogsAnswer,
  InputProcesse,
  SignalProcesse,
  ResizeProcesse,
  EndProcesse,
  ProcessesPortsAnswer,
  FilesListAnswer,
  MakeDirectory,
  CopyFile,
  FilesSearchAnswer,
} from "./types.ts";

/** No fields. */
export type Nothing = Record<never, never>;

/** Every operation of the daemon: what it takes in the path, the query and the body, and what it answers. */
export interface OperationShapes {
  /**
   * Tells that the daemon answers.
   *
   * For load balancers and probes: answers without a token and without touching a session.
   */
  "health": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: HealthAnswer;
  };
  /**
   * Name, version and what the daemon serves.
   *
   * The daemon's version, the agents it can drive, how it keeps events and since when it runs.
   */
  "info": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: InfoAnswer;
  };
  /**
   * This API as OpenAPI 3.1.
   *
   * The document that describes every operation, as this daemon serves it.
   */
  "openapi": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: OpenapiAnswer;
  };
  /**
   * Counters and gauges as Prometheus text.
   *
   * For Prometheus: sessions, turns, events, processes and memory. Needs a token for the whole daemon.
   */
  "metrics": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "text";
    result: string;
  };
  /**
   * Every agent the daemon can drive.
   *
   * Each with what it can do, whether it is installed and whether a key or login for it was found.
   */
  "agents.list": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: AgentsListAnswer;
  };
  /**
   * One agent.
   *
   * What it can do, whether it is installed, and whether a key or login for it was found.
   */
  "agents.get": {
    params: {
      /** An agent's id */
      agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: AgentInfo;
  };
  /**
   * Installs and verifies an agent.
   *
   * Downloads the agent's program, verifies it and keeps it in the daemon's data directory. A session does so by itself when its agent is missing; this does it ahead of time.
   */
  "agents.install": {
    params: {
      /** An agent's id */
      agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
    };
    query: Nothing;
    headers: Nothing;
    body: InstallAgent;
    answer: "json";
    result: InstalledAgent;
  };
  /**
   * Removes what the daemon has installed of an agent.
   *
   * Refused while sessions of the agent are at work. Programs that the daemon did not install are left alone.
   */
  "agents.uninstall": {
    params: {
      /** An agent's id */
      agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
    };
    query: {
      /** Only this version; all of them by default */
      version?: string | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: UninstalledAgent;
  };
  /**
   * The models an agent offers.
   *
   * Asks the agent itself, so it must be installed; what it offers depends on the key or login it has.
   */
  "agents.listModels": {
    params: {
      /** An agent's id */
      agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: AgentsListModelsAnswer;
  };
  /**
   * The modes an agent offers.
   *
   * What can be given as agentMode when a session is created or changed.
   */
  "agents.listModes": {
    params: {
      /** An agent's id */
      agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: AgentsListModesAnswer;
  };
  /**
   * Creates a session and starts its agent; without an id one is made.
   *
   * Creating a session again under the same id with the same settings gives the one that is there. Secrets (token, env, mcp) stay in memory and must be given again after a restart of the daemon. When the agent cannot be started the session exists all the same, with healthy: false and error.
   */
  "sessions.create": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId?: string | undefined;
    };
    query: {
      /** Takes the id again of a session that was deleted */
      reuse?: boolean | undefined;
    };
    headers: Nothing;
    body: CreateSession;
    answer: "json";
    result: CreatedSession;
  };
  /**
   * Sessions in the order they were created, or the last used first, or first those that wait for a person.
   *
   * In pages: give the last id of one page as after for the next.
   */
  "sessions.list": {
    params: Nothing;
    query: {
      /** The last session id of the page before */
      after?: string | undefined;
      /** How many; 100 by default */
      limit?: number | undefined;
      /** Only those in this state */
      state?: SessionState | undefined;
      /** Only those of this agent */
      agent?: AgentName | undefined;
      /** Only those that work in this directory */
      directory?: string | undefined;
      /** Only those whose name, id or directory has all these words; without a title the first message is the name */
      search?: string | undefined;
      /** created: oldest first; used: last used first; waiting: those that wait for a person, then as used; updated: the old word for used */
      order?: "created" | "used" | "waiting" | "updated" | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: SessionsListAnswer;
  };
  /**
   * One session.
   *
   * How it stands: state, open turn, queue, requests that wait, tokens and cost.
   */
  "sessions.get": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: Session;
  };
  /**
   * What its model requests cost, as the gateway counted them.
   *
   * In all, and by model, turn and sub-agent. What is open is counted by estimate, and so is what was cut.
   */
  "sessions.usage": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: UsageReport;
  };
  /**
   * Changes model, mode, variant, permission mode, title, limits or secrets.
   *
   * What the agent takes while it runs changes at once; for the rest a new process is started at the next message. What is absent stays as it is.
   */
  "sessions.update": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: UpdateSession;
    answer: "json";
    result: Session;
  };
  /**
   * Kills the agent, ends the readers, removes the log.
   *
   * For good: an id that was deleted is not taken again unless reuse is given.
   */
  "sessions.delete": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * Accepts a message; answers when it is safe on disk.
   *
   * What becomes of it is told by events: read them from the sequence in the answer. With a messageId of your own, sending it again is harmless.
   */
  "sessions.sendMessage": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: SendMessage;
    answer: "json";
    result: SentMessage;
  };
  /**
   * Sends a message and streams the events until its turn has ended.
   *
   * The stream begins with the message's own event and ends with turn.ended. Leaving it does not interrupt the turn.
   */
  "sessions.streamMessage": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: {
      /** Adds the agent's own message to each event */
      raw?: boolean | undefined;
      /** false leaves out item.delta */
      deltas?: boolean | undefined;
    };
    headers: Nothing;
    body: SendMessage;
    answer: "sse";
    result: UniversalEvent;
  };
  /**
   * The conversation, folded from the log.
   *
   * The whole conversation at once, for those who want what was said and not how it came about.
   */
  "sessions.getMessages": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: SessionsGetMessagesAnswer;
  };
  /**
   * The content of a file that came with a message.
   *
   * Only what was sent as data is kept by the daemon; a file that was attached by its path lies where it lay. Name and media type stand in the message.
   */
  "sessions.getAttachment": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
      /** The last part of the path that its message names */
      attachment: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: SessionsGetAttachmentAnswer;
  };
  /**
   * Takes back a message that is still queued.
   *
   * A message that was given to the agent already cannot be taken back; interrupt its turn instead.
   */
  "sessions.cancelMessage": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
      /** The message to take back */
      messageId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * A page of events.
   *
   * Events behind offset, oldest first. With as, lines of another agent's own protocol in their place.
   */
  "sessions.getEvents": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: {
      /** The last sequence seen; 0 is the beginning */
      offset?: number | undefined;
      /** Adds the agent's own message to each event */
      raw?: boolean | undefined;
      /** false leaves out item.delta */
      deltas?: boolean | undefined;
      /** Gives them as lines of this agent's own protocol */
      as?: string | undefined;
      /** How many; 1000 by default */
      limit?: number | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: SessionsGetEventsAnswer;
  };
  /**
   * All events from an offset on, then live; stays open over turns and lives.
   *
   * Server-sent events; the id of each is its sequence. Connect again with Last-Event-ID or offset and nothing is lost or told twice.
   */
  "sessions.streamEvents": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: {
      /** The last sequence seen; 0 is the beginning */
      offset?: number | undefined;
      /** Adds the agent's own message to each event */
      raw?: boolean | undefined;
      /** false leaves out item.delta */
      deltas?: boolean | undefined;
      /** Gives them as lines of this agent's own protocol */
      as?: string | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "sse";
    result: UniversalEvent;
  };
  /**
   * Questions and permissions that wait for a person.
   *
   * What a person is asked right now, also when the events were read by somebody else.
   */
  "sessions.listRequests": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: PendingRequests;
  };
  /**
   * Answers a question; the first valid answer wins.
   *
   * Later answers get 409 already_resolved. A plan is answered with approve, approve_edits or reject, or in words.
   */
  "sessions.replyQuestion": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
      /** The id in question.requested */
      questionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: ReplyQuestion;
    answer: "empty";
    result: undefined;
  };
  /**
   * Declines to answer a question.
   *
   * The agent is told, and goes on without an answer.
   */
  "sessions.rejectQuestion": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
      /** The id in question.requested */
      questionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: RejectQuestion;
    answer: "empty";
    result: undefined;
  };
  /**
   * Allows once, allows always in this session, or rejects.
   *
   * Later answers get 409 already_resolved. What always grants is listed in the request's alwaysScope.
   */
  "sessions.replyPermission": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
      /** The id in permission.requested */
      permissionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: ReplyPermission;
    answer: "empty";
    result: undefined;
  };
  /**
   * Ends the open turn.
   *
   * Returns when the turn has ended, or at once when none is open. What the agent has done so far stays.
   */
  "sessions.interrupt": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: InterruptSession;
    answer: "empty";
    result: undefined;
  };
  /**
   * Ends the agent's life; a later message starts a new one.
   *
   * Ends the agent's process and what it started. The conversation stays, and the agent goes on with it where it can.
   */
  "sessions.terminate": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * Takes the conversation and the files back to the end of a turn.
   *
   * Files that a person or another session changed since are conflicts: then nothing is done, and the answer names them. While a turn runs, a request waits or messages are queued it is refused with session_busy, unless interrupt ends them first. What was said stays in the log, marked as rewound; what it cost stays counted.
   */
  "sessions.rewind": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: RewindSession;
    answer: "json";
    result: SessionsUndoRewindAnswer;
  };
  /**
   * Takes the last rewind back.
   *
   * As long as no turn has begun since. Files that somebody changed since are conflicts, as in a rewind.
   */
  "sessions.undoRewind": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: UndoRewind;
    answer: "json";
    result: SessionsUndoRewindAnswer;
  };
  /**
   * Makes sessions that go on from a turn of this one.
   *
   * A fork has the events up to that turn as its own, and its agent remembers what was said up to there. With directory it works in a copy of the files as they were then. The session itself stays as it is.
   */
  "sessions.fork": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sourceId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: ForkSession;
    answer: "json";
    result: SessionsForkAnswer;
  };
  /**
   * Lets another agent go on with the session.
   *
   * The new agent gets the conversation as the log has it, without what was rewound. A key that the session was given is the old agent's and is forgotten.
   */
  "sessions.handOver": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: HandOver;
    answer: "json";
    result: SessionsHandOverAnswer;
  };
  /**
   * How the files differ between the ends of two turns, and who changed them.
   *
   * With other the comparison goes to a turn of another session; from and to are then the last turns that are over by default.
   */
  "sessions.changes": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: {
      /** The end of this turn; 0, the beginning, by default */
      from?: number | undefined;
      /** The end of that turn; by default as the files are now */
      to?: number | undefined;
      /** A session, such as a fork of this one, whose turn `to` is; by default this one */
      other?: string | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: SessionsChangesAnswer;
  };
  /**
   * Live events of all or the named sessions; without names only state changes and requests.
   *
   * For dashboards: follows many sessions over one connection. With sessions all of their events are told; without, only state changes and requests, from now on.
   */
  "events.stream": {
    params: Nothing;
    query: {
      /** Session ids, separated by commas */
      sessions?: string | undefined;
      /** false leaves out item.delta */
      deltas?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "sse";
    result: UniversalEvent;
  };
  /**
   * Takes what the AI SDK's useChat posts and streams its chunks, up to the end of the turn or a request.
   *
   * The chat is the session with its id, which must exist. The stream ends at a request that waits for a person; the answer is the next message.
   */
  "ui.send": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: SendUi;
    answer: "ui";
    result: UiChunk;
  };
  /**
   * The same stream for the open turn, from its beginning; nothing when no turn is open.
   *
   * For resume of useChat: 204 where no turn is open.
   */
  "ui.resume": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "ui";
    result: UiChunk;
  };
  /**
   * The conversation as messages of the AI SDK, for useChat({ messages }).
   *
   * What a reloaded page shows. The open turn is left out: useChat gets it with resume, from the beginning of the turn.
   */
  "ui.getMessages": {
    params: {
      /** The session's id: your own, or one the daemon made */
      sessionId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: UiHistory;
  };
  /**
   * Which credentials were found and where; never the secrets.
   *
   * By which a person sees why an agent is or is not ready to work.
   */
  "credentials.list": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: CredentialsListAnswer;
  };
  /**
   * A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect.
   *
   * So that a web page never learns the token: its server makes a ticket for each request. With a ticket one can read and follow, not change, but for a terminal: there one types, where its maker may.
   */
  "tickets.create": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: CreateTicket;
    answer: "json";
    result: TicketsCreateAnswer;
  };
  /**
   * Takes the ticket of a page and gives it a key to send as its bearer token.
   *
   * The key is good for reading and following until it expires.
   */
  "tickets.redeem": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: RedeemTicket;
    answer: "json";
    result: TicketsRedeemAnswer;
  };
  /**
   * Makes an access token with a scope, for all or for some sessions and agents.
   *
   * The token itself is told this once. It ends when it is revoked or expires.
   */
  "tokens.create": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: CreateToken;
    answer: "json";
    result: CreatedToken;
  };
  /**
   * The access tokens that let in, without the tokens themselves.
   *
   * With what each may do and when it was last used.
   */
  "tokens.list": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: TokensListAnswer;
  };
  /**
   * Ends an access token and the streams it has open.
   *
   * At once, also for streams that are open.
   */
  "tokens.revoke": {
    params: {
      /** The id in the list */
      tokenId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * Runs a program to its end and answers with its exit code and its outputs.
   *
   * Beyond maxOutput the outputs in the answer are cut; all of it is in the log of the process, which is kept under its id. A limit that is reached ends the program, and the answer says so.
   */
  "processes.run": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: RunProcess;
    answer: "json";
    result: ProcessesRunAnswer;
  };
  /**
   * Starts a process; without an id one is made.
   *
   * It runs until it ends, is ended, or its owner ends. All it writes is numbered and kept, and can be read while it runs and afterwards. When the daemon is killed it lives on, and the next daemon takes it over.
   */
  "processes.start": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId?: string | undefined;
    };
    query: Nothing;
    headers: Nothing;
    body: StartProcess;
    answer: "json";
    result: Process;
  };
  /**
   * Processes in the order they were started.
   *
   * Those that run, and those that have ended and are kept.
   */
  "processes.list": {
    params: Nothing;
    query: {
      /** Only those of this session */
      owner?: string | undefined;
      /** Only those in this state */
      state?: "running" | "ended" | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: ProcessesListAnswer;
  };
  /**
   * One process.
   *
   * Whether it runs, how much it has written, and how it ended.
   */
  "processes.get": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: Process;
  };
  /**
   * Answers when the process has ended, or the time is over.
   *
   * The state in the answer tells which of the two it was. The process itself goes on.
   */
  "processes.wait": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: {
      /** 60,000 by default */
      timeoutMs?: number | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: Process;
  };
  /**
   * A page of what a process has written, from any byte on.
   *
   * offset counts the bytes of all its output together. The page ends at a piece of output; next is the offset for the page after it.
   */
  "processes.getLogs": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: {
      /** How many bytes to leave out; 0 is the beginning */
      offset?: number | undefined;
      /** About how many bytes of output; 1 MiB by default */
      limit?: number | undefined;
      /** Gives text in place of data wherever the bytes are whole characters */
      text?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: ProcessesGetLogsAnswer;
  };
  /**
   * What a process writes, from any byte on, then live; ends with the process.
   *
   * Server-sent events; the id of each is the offset behind it. Connect again with Last-Event-ID or offset and no byte is lost or told twice, also when the daemon was started anew in between.
   */
  "processes.streamLogs": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: {
      /** How many bytes to leave out; 0 is the beginning */
      offset?: number | undefined;
      /** Gives text in place of data wherever the bytes are whole characters */
      text?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "sse";
    result: ProcessChunk;
  };
  /**
   * Writes to the input of a process, or to its terminal.
   *
   * Answers when what holds the process has it. A process that reads nothing is given 1 MiB at most.
   */
  "processes.input": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: InputProcesse;
    answer: "empty";
    result: undefined;
  };
  /**
   * Sends a signal to a process and its group.
   *
   * What becomes of it is told by its end. To be sure that it and all it started are gone, delete it.
   */
  "processes.signal": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: SignalProcesse;
    answer: "empty";
    result: undefined;
  };
  /**
   * Gives the terminal of a process another size.
   *
   * For all who look at it.
   */
  "processes.resize": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: ResizeProcesse;
    answer: "empty";
    result: undefined;
  };
  /**
   * Ends a process and all it has started; its log stays.
   *
   * Asks first, and kills what is left when the time is over. Answers when all are verified dead.
   */
  "processes.end": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: EndProcesse;
    answer: "json";
    result: Process;
  };
  /**
   * Ends a process with all it has started, and removes its log.
   *
   * For good. Readers of its log end.
   */
  "processes.delete": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * The ports a process and all it has started listen on.
   *
   * Found in /proc: the sockets that these processes have open.
   */
  "processes.ports": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: ProcessesPortsAnswer;
  };
  /**
   * What is on the terminal of a process, as text with styles.
   *
   * Also after its end. For a person who wants to look and type there is the WebSocket at /processes/{processId}/attach.
   */
  "terminals.screen": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: Nothing;
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: TerminalScreen;
  };
  /**
   * What was written to the terminal, as an asciicast for players of recordings.
   *
   * Version 2 of that format. 64 MiB of output at most; give the offset for what follows.
   */
  "terminals.recording": {
    params: {
      /** The process's id: your own, or one the daemon made */
      processId: string;
    };
    query: {
      /** How many bytes of output to leave out */
      offset?: number | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "text";
    result: string;
  };
  /**
   * What a directory holds.
   *
   * In the order of the bytes of the names, a directory before what is in it. In pages: give the path of the last entry as after for the next.
   */
  "files.list": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** With everything below it; links are told and not followed */
      recursive?: boolean | undefined;
      /** false leaves out what .gitignore files name, and .git */
      ignored?: boolean | undefined;
      /** How many; 1000 by default */
      limit?: number | undefined;
      /** The path of the last entry of the page before */
      after?: string | undefined;
      /** The same in base64, where that is no UTF-8 */
      afterBytes?: string | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: FilesListAnswer;
  };
  /**
   * What a path names.
   *
   * Of a link itself, not of what it points to.
   */
  "files.stat": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: FileEntry;
  };
  /**
   * The bytes of a file.
   *
   * With Range one part of them; with If-None-Match nothing (304) where they are those of that ETag.
   */
  "files.read": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
    };
    headers: {
      /** One range of bytes, such as bytes=0-99 or bytes=-100 */
      range?: string | undefined;
      /** Only if the file has another ETag than these */
      ifNoneMatch?: string | undefined;
    };
    body: Nothing;
    answer: "bytes";
    result: ByteAnswer;
  };
  /**
   * Writes a file, whole or not at all.
   *
   * Readers see the old content or the new one. With If-Match it is written only over what the caller has seen, with If-None-Match: * only where nothing is. The answer is 201 for a new file and has its ETag.
   */
  "files.write": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** Its permissions in octal; those it had, or 644, by default */
      mode?: string | undefined;
      /** Makes the directories above it that are missing */
      parents?: boolean | undefined;
    };
    headers: {
      /** Only if the file has this ETag, or with * if there is a file */
      ifMatch?: string | undefined;
      /** * writes only where there is no file */
      ifNoneMatch?: string | undefined;
    };
    body: Content;
    answer: "json";
    result: WrittenFile;
  };
  /**
   * Adds bytes to the end of a file.
   *
   * In one piece of at most 32 MiB. A file that is not there is made.
   */
  "files.append": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
    };
    headers: Nothing;
    body: Content;
    answer: "json";
    result: WrittenFile;
  };
  /**
   * Makes a directory.
   *
   * One that is there already is refused, but with parents it is as good as one that is made.
   */
  "files.makeDirectory": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: MakeDirectory;
    answer: "json";
    result: FileEntry;
  };
  /**
   * Moves or renames a file or directory.
   *
   * In one step, on the same disk. A link is moved itself.
   */
  "files.move": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: CopyFile;
    answer: "json";
    result: FileEntry;
  };
  /**
   * Copies a file or directory.
   *
   * A directory with everything in it, links as links; pipes, sockets and devices are left out. What is there is replaced only as a file by a file.
   */
  "files.copy": {
    params: Nothing;
    query: Nothing;
    headers: Nothing;
    body: CopyFile;
    answer: "json";
    result: FileEntry;
  };
  /**
   * Deletes a file, a link or a directory.
   *
   * A directory that holds something only with recursive. Of a link the link, not what it points to.
   */
  "files.delete": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** With everything in it */
      recursive?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "empty";
    result: undefined;
  };
  /**
   * A directory as one archive.
   *
   * Streamed while it is read. Links are links in it; pipes, sockets and devices are left out.
   */
  "files.download": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** tar by default */
      format?: "tar" | "tar.gz" | "zip" | undefined;
      /** false leaves out what .gitignore files name, and .git */
      ignored?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "bytes";
    result: ByteAnswer;
  };
  /**
   * Unpacks an archive into a directory.
   *
   * Put in place when all of it has come and is sound: an archive that is refused changes nothing. What is there stays beside it, files of the same name are replaced. Refused are names and links that lead out, hard links to what is not in it, and everything that is no file, directory or link.
   */
  "files.upload": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** tar by default */
      format?: "tar" | "tar.gz" | undefined;
    };
    headers: Nothing;
    body: Content;
    answer: "json";
    result: UploadedTree;
  };
  /**
   * The lines of files that hold a text.
   *
   * Files that hold a zero byte in their first 8 KiB are taken for no text and left out, and so is what .gitignore names.
   */
  "files.search": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** The text, as it stands */
      query: string;
      /** It is a regular expression; needs ripgrep on the machine */
      regex?: boolean | undefined;
      /** Only files with such a path, such as *.ts or src/**\/*.md */
      glob?: string | undefined;
      /** true looks also into what .gitignore files name */
      ignored?: boolean | undefined;
      /** How many; 200 by default */
      limit?: number | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "json";
    result: FilesSearchAnswer;
  };
  /**
   * What changes below a directory.
   *
   * Server-sent events, numbered. The first is watching; a stream that is taken up again begins with overflow, because what happened between is not known.
   */
  "files.watch": {
    params: Nothing;
    query: {
      /** Paths are relative to the directory of this session, and nothing else is reached */
      session?: string | undefined;
      /** Absolute, or relative to the session's directory, which it is without a path */
      path?: string | undefined;
      /** The path in base64, for names that are no UTF-8; in place of path */
      pathBytes?: string | undefined;
      /** false leaves out what .gitignore files name, and .git */
      ignored?: boolean | undefined;
    };
    headers: Nothing;
    body: Nothing;
    answer: "sse";
    result: FileChange;
  };
}






/** What `agents.get` takes. */
export interface AgentsGetFields {
  /** An agent's id */
  agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
}

/** What `agents.install` takes. */
export interface AgentsInstallFields extends InstallAgent {
  /** An agent's id */
  agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
}

/** What `agents.uninstall` takes. */
export interface AgentsUninstallFields {
  /** An agent's id */
  agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
  /** Only this version; all of them by default */
  version?: string | undefined;
}

/** What `agents.listModels` takes. */
export interface AgentsListModelsFields {
  /** An agent's id */
  agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
}

/** What `agents.listModes` takes. */
export interface AgentsListModesFields {
  /** An agent's id */
  agent: "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});
}

/** What `sessions.create` takes. */
export interface SessionsCreateFields extends CreateSession {
  /** The session's id: your own, or one the daemon made */
  sessionId?: string | undefined;
  /** Takes the id again of a session that was deleted */
  reuse?: boolean | undefined;
}

/** What `sessions.list` takes. */
export interface SessionsListFields {
  /** The last session id of the page before */
  after?: string | undefined;
  /** How many; 100 by default */
  limit?: number | undefined;
  /** Only those in this state */
  state?: SessionState | undefined;
  /** Only those of this agent */
  agent?: AgentName | undefined;
  /** Only those that work in this directory */
  directory?: string | undefined;
  /** Only those whose name, id or directory has all these words; without a title the first message is the name */
  search?: string | undefined;
  /** created: oldest first; used: last used first; waiting: those that wait for a person, then as used; updated: the old word for used */
  order?: "created" | "used" | "waiting" | "updated" | undefined;
}

/** What `sessions.get` takes. */
export interface SessionsGetFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.usage` takes. */
export interface SessionsUsageFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.update` takes. */
export interface SessionsUpdateFields extends UpdateSession {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.delete` takes. */
export interface SessionsDeleteFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.sendMessage` takes. */
export interface SessionsSendMessageFields extends SendMessage {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.streamMessage` takes. */
export interface SessionsStreamMessageFields extends SendMessage {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** Adds the agent's own message to each event */
  raw?: boolean | undefined;
  /** false leaves out item.delta */
  deltas?: boolean | undefined;
}

/** What `sessions.getMessages` takes. */
export interface SessionsGetMessagesFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.getAttachment` takes. */
export interface SessionsGetAttachmentFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The last part of the path that its message names */
  attachment: string;
}

/** What `sessions.cancelMessage` takes. */
export interface SessionsCancelMessageFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The message to take back */
  messageId: string;
}

/** What `sessions.getEvents` takes. */
export interface SessionsGetEventsFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The last sequence seen; 0 is the beginning */
  offset?: number | undefined;
  /** Adds the agent's own message to each event */
  raw?: boolean | undefined;
  /** false leaves out item.delta */
  deltas?: boolean | undefined;
  /** Gives them as lines of this agent's own protocol */
  as?: string | undefined;
  /** How many; 1000 by default */
  limit?: number | undefined;
}

/** What `sessions.streamEvents` takes. */
export interface SessionsStreamEventsFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The last sequence seen; 0 is the beginning */
  offset?: number | undefined;
  /** Adds the agent's own message to each event */
  raw?: boolean | undefined;
  /** false leaves out item.delta */
  deltas?: boolean | undefined;
  /** Gives them as lines of this agent's own protocol */
  as?: string | undefined;
}

/** What `sessions.listRequests` takes. */
export interface SessionsListRequestsFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.replyQuestion` takes. */
export interface SessionsReplyQuestionFields extends ReplyQuestion {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The id in question.requested */
  questionId: string;
}

/** What `sessions.rejectQuestion` takes. */
export interface SessionsRejectQuestionFields extends RejectQuestion {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The id in question.requested */
  questionId: string;
}

/** What `sessions.replyPermission` takes. */
export interface SessionsReplyPermissionFields extends ReplyPermission {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The id in permission.requested */
  permissionId: string;
}

/** What `sessions.interrupt` takes. */
export interface SessionsInterruptFields extends InterruptSession {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.terminate` takes. */
export interface SessionsTerminateFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.rewind` takes. */
export interface SessionsRewindFields extends RewindSession {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.undoRewind` takes. */
export interface SessionsUndoRewindFields extends UndoRewind {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.fork` takes. */
export interface SessionsForkFields extends ForkSession {
  /** The session's id: your own, or one the daemon made */
  sourceId: string;
}

/** What `sessions.handOver` takes. */
export interface SessionsHandOverFields extends HandOver {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `sessions.changes` takes. */
export interface SessionsChangesFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** The end of this turn; 0, the beginning, by default */
  from?: number | undefined;
  /** The end of that turn; by default as the files are now */
  to?: number | undefined;
  /** A session, such as a fork of this one, whose turn `to` is; by default this one */
  other?: string | undefined;
}

/** What `events.stream` takes. */
export interface EventsStreamFields {
  /** Session ids, separated by commas */
  sessions?: string | undefined;
  /** false leaves out item.delta */
  deltas?: boolean | undefined;
}

/** What `ui.send` takes. */
export type UiSendFields = SendUi;

/** What `ui.resume` takes. */
export interface UiResumeFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}

/** What `ui.getMessages` takes. */
export interface UiGetMessagesFields {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
}


/** What `tickets.create` takes. */
export type TicketsCreateFields = CreateTicket;

/** What `tickets.redeem` takes. */
export type TicketsRedeemFields = RedeemTicket;

/** What `tokens.create` takes. */
export type TokensCreateFields = CreateToken;


/** What `tokens.revoke` takes. */
export interface TokensRevokeFields {
  /** The id in the list */
  tokenId: string;
}

/** What `processes.run` takes. */
export type ProcessesRunFields = RunProcess;

/** What `processes.start` takes. */
export interface ProcessesStartFields extends StartProcess {
  /** The process's id: your own, or one the daemon made */
  processId?: string | undefined;
}

/** What `processes.list` takes. */
export interface ProcessesListFields {
  /** Only those of this session */
  owner?: string | undefined;
  /** Only those in this state */
  state?: "running" | "ended" | undefined;
}

/** What `processes.get` takes. */
export interface ProcessesGetFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.wait` takes. */
export interface ProcessesWaitFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
  /** 60,000 by default */
  timeoutMs?: number | undefined;
}

/** What `processes.getLogs` takes. */
export interface ProcessesGetLogsFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
  /** How many bytes to leave out; 0 is the beginning */
  offset?: number | undefined;
  /** About how many bytes of output; 1 MiB by default */
  limit?: number | undefined;
  /** Gives text in place of data wherever the bytes are whole characters */
  text?: boolean | undefined;
}

/** What `processes.streamLogs` takes. */
export interface ProcessesStreamLogsFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
  /** How many bytes to leave out; 0 is the beginning */
  offset?: number | undefined;
  /** Gives text in place of data wherever the bytes are whole characters */
  text?: boolean | undefined;
}

/** What `processes.input` takes. */
export interface ProcessesInputFields extends InputProcesse {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.signal` takes. */
export interface ProcessesSignalFields extends SignalProcesse {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.resize` takes. */
export interface ProcessesResizeFields extends ResizeProcesse {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.end` takes. */
export interface ProcessesEndFields extends EndProcesse {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.delete` takes. */
export interface ProcessesDeleteFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `processes.ports` takes. */
export interface ProcessesPortsFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `terminals.screen` takes. */
export interface TerminalsScreenFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
}

/** What `terminals.recording` takes. */
export interface TerminalsRecordingFields {
  /** The process's id: your own, or one the daemon made */
  processId: string;
  /** How many bytes of output to leave out */
  offset?: number | undefined;
}

/** What `files.list` takes. */
export interface FilesListFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** With everything below it; links are told and not followed */
  recursive?: boolean | undefined;
  /** false leaves out what .gitignore files name, and .git */
  ignored?: boolean | undefined;
  /** How many; 1000 by default */
  limit?: number | undefined;
  /** The path of the last entry of the page before */
  after?: string | undefined;
  /** The same in base64, where that is no UTF-8 */
  afterBytes?: string | undefined;
}

/** What `files.stat` takes. */
export interface FilesStatFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
}

/** What `files.read` takes. */
export interface FilesReadFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** One range of bytes, such as bytes=0-99 or bytes=-100 */
  range?: string | undefined;
  /** Only if the file has another ETag than these */
  ifNoneMatch?: string | undefined;
}

/** What `files.write` takes. */
export interface FilesWriteFields {
  /** The bytes that are sent */
  content: Content;
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** Its permissions in octal; those it had, or 644, by default */
  mode?: string | undefined;
  /** Makes the directories above it that are missing */
  parents?: boolean | undefined;
  /** Only if the file has this ETag, or with * if there is a file */
  ifMatch?: string | undefined;
  /** * writes only where there is no file */
  ifNoneMatch?: string | undefined;
}

/** What `files.append` takes. */
export interface FilesAppendFields {
  /** The bytes that are sent */
  content: Content;
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
}

/** What `files.makeDirectory` takes. */
export type FilesMakeDirectoryFields = MakeDirectory;

/** What `files.move` takes. */
export type FilesMoveFields = CopyFile;

/** What `files.copy` takes. */
export type FilesCopyFields = CopyFile;

/** What `files.delete` takes. */
export interface FilesDeleteFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** With everything in it */
  recursive?: boolean | undefined;
}

/** What `files.download` takes. */
export interface FilesDownloadFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** tar by default */
  format?: "tar" | "tar.gz" | "zip" | undefined;
  /** false leaves out what .gitignore files name, and .git */
  ignored?: boolean | undefined;
}

/** What `files.upload` takes. */
export interface FilesUploadFields {
  /** The bytes that are sent */
  content: Content;
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** tar by default */
  format?: "tar" | "tar.gz" | undefined;
}

/** What `files.search` takes. */
export interface FilesSearchFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** The text, as it stands */
  query: string;
  /** It is a regular expression; needs ripgrep on the machine */
  regex?: boolean | undefined;
  /** Only files with such a path, such as *.ts or src/**\/*.md */
  glob?: string | undefined;
  /** true looks also into what .gitignore files name */
  ignored?: boolean | undefined;
  /** How many; 200 by default */
  limit?: number | undefined;
}

/** What `files.watch` takes. */
export interface FilesWatchFields {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory, which it is without a path */
  path?: string | undefined;
  /** The path in base64, for names that are no UTF-8; in place of path */
  pathBytes?: string | undefined;
  /** false leaves out what .gitignore files name, and .git */
  ignored?: boolean | undefined;
}

/** Operations of `client.agents`. */
export interface AgentsMethods {
  /**
   * Every agent the daemon can drive.
   *
   * Each with what it can do, whether it is installed and whether a key or login for it was found.
   */
  list(fields?: Nothing, options?: CallOptions): Promise<AgentsListAnswer>;
  /**
   * One agent.
   *
   * What it can do, whether it is installed, and whether a key or login for it was found.
   */
  get(fields: AgentsGetFields, options?: CallOptions): Promise<AgentInfo>;
  /**
   * Installs and verifies an agent.
   *
   * Downloads the agent's program, verifies it and keeps it in the daemon's data directory. A session does so by itself when its agent is missing; this does it ahead of time.
   */
  install(fields: AgentsInstallFields, options?: CallOptions): Promise<InstalledAgent>;
  /**
   * Removes what the daemon has installed of an agent.
   *
   * Refused while sessions of the agent are at work. Programs that the daemon did not install are left alone.
   */
  uninstall(fields: AgentsUninstallFields, options?: CallOptions): Promise<UninstalledAgent>;
  /**
   * The models an agent offers.
   *
   * Asks the agent itself, so it must be installed; what it offers depends on the key or login it has.
   */
  listModels(fields: AgentsListModelsFields, options?: CallOptions): Promise<AgentsListModelsAnswer>;
  /**
   * The modes an agent offers.
   *
   * What can be given as agentMode when a session is created or changed.
   */
  listModes(fields: AgentsListModesFields, options?: CallOptions): Promise<AgentsListModesAnswer>;
}

/** Operations of `client.sessions`. */
export interface SessionsMethods {
  /**
   * Creates a session and starts its agent; without an id one is made.
   *
   * Creating a session again under the same id with the same settings gives the one that is there. Secrets (token, env, mcp) stay in memory and must be given again after a restart of the daemon. When the agent cannot be started the session exists all the same, with healthy: false and error.
   */
  create(fields: SessionsCreateFields, options?: CallOptions): Promise<CreatedSession>;
  /**
   * Sessions in the order they were created, or the last used first, or first those that wait for a person.
   *
   * In pages: give the last id of one page as after for the next.
   */
  list(fields?: SessionsListFields, options?: CallOptions): Promise<SessionsListAnswer>;
  /**
   * One session.
   *
   * How it stands: state, open turn, queue, requests that wait, tokens and cost.
   */
  get(fields: SessionsGetFields, options?: CallOptions): Promise<Session>;
  /**
   * What its model requests cost, as the gateway counted them.
   *
   * In all, and by model, turn and sub-agent. What is open is counted by estimate, and so is what was cut.
   */
  usage(fields: SessionsUsageFields, options?: CallOptions): Promise<UsageReport>;
  /**
   * Changes model, mode, variant, permission mode, title, limits or secrets.
   *
   * What the agent takes while it runs changes at once; for the rest a new process is started at the next message. What is absent stays as it is.
   */
  update(fields: SessionsUpdateFields, options?: CallOptions): Promise<Session>;
  /**
   * Kills the agent, ends the readers, removes the log.
   *
   * For good: an id that was deleted is not taken again unless reuse is given.
   */
  delete(fields: SessionsDeleteFields, options?: CallOptions): Promise<undefined>;
  /**
   * Accepts a message; answers when it is safe on disk.
   *
   * What becomes of it is told by events: read them from the sequence in the answer. With a messageId of your own, sending it again is harmless.
   */
  sendMessage(fields: SessionsSendMessageFields, options?: CallOptions): Promise<SentMessage>;
  /**
   * Sends a message and streams the events until its turn has ended.
   *
   * The stream begins with the message's own event and ends with turn.ended. Leaving it does not interrupt the turn.
   */
  streamMessage(fields: SessionsStreamMessageFields, options?: CallOptions): AsyncIterable<UniversalEvent>;
  /**
   * The conversation, folded from the log.
   *
   * The whole conversation at once, for those who want what was said and not how it came about.
   */
  getMessages(fields: SessionsGetMessagesFields, options?: CallOptions): Promise<SessionsGetMessagesAnswer>;
  /**
   * The content of a file that came with a message.
   *
   * Only what was sent as data is kept by the daemon; a file that was attached by its path lies where it lay. Name and media type stand in the message.
   */
  getAttachment(fields: SessionsGetAttachmentFields, options?: CallOptions): Promise<SessionsGetAttachmentAnswer>;
  /**
   * Takes back a message that is still queued.
   *
   * A message that was given to the agent already cannot be taken back; interrupt its turn instead.
   */
  cancelMessage(fields: SessionsCancelMessageFields, options?: CallOptions): Promise<undefined>;
  /**
   * A page of events.
   *
   * Events behind offset, oldest first. With as, lines of another agent's own protocol in their place.
   */
  getEvents(fields: SessionsGetEventsFields, options?: CallOptions): Promise<SessionsGetEventsAnswer>;
  /**
   * All events from an offset on, then live; stays open over turns and lives.
   *
   * Server-sent events; the id of each is its sequence. Connect again with Last-Event-ID or offset and nothing is lost or told twice.
   */
  streamEvents(fields: SessionsStreamEventsFields, options?: CallOptions): AsyncIterable<UniversalEvent>;
  /**
   * Questions and permissions that wait for a person.
   *
   * What a person is asked right now, also when the events were read by somebody else.
   */
  listRequests(fields: SessionsListRequestsFields, options?: CallOptions): Promise<PendingRequests>;
  /**
   * Answers a question; the first valid answer wins.
   *
   * Later answers get 409 already_resolved. A plan is answered with approve, approve_edits or reject, or in words.
   */
  replyQuestion(fields: SessionsReplyQuestionFields, options?: CallOptions): Promise<undefined>;
  /**
   * Declines to answer a question.
   *
   * The agent is told, and goes on without an answer.
   */
  rejectQuestion(fields: SessionsRejectQuestionFields, options?: CallOptions): Promise<undefined>;
  /**
   * Allows once, allows always in this session, or rejects.
   *
   * Later answers get 409 already_resolved. What always grants is listed in the request's alwaysScope.
   */
  replyPermission(fields: SessionsReplyPermissionFields, options?: CallOptions): Promise<undefined>;
  /**
   * Ends the open turn.
   *
   * Returns when the turn has ended, or at once when none is open. What the agent has done so far stays.
   */
  interrupt(fields: SessionsInterruptFields, options?: CallOptions): Promise<undefined>;
  /**
   * Ends the agent's life; a later message starts a new one.
   *
   * Ends the agent's process and what it started. The conversation stays, and the agent goes on with it where it can.
   */
  terminate(fields: SessionsTerminateFields, options?: CallOptions): Promise<undefined>;
  /**
   * Takes the conversation and the files back to the end of a turn.
   *
   * Files that a person or another session changed since are conflicts: then nothing is done, and the answer names them. While a turn runs, a request waits or messages are queued it is refused with session_busy, unless interrupt ends them first. What was said stays in the log, marked as rewound; what it cost stays counted.
   */
  rewind(fields: SessionsRewindFields, options?: CallOptions): Promise<SessionsUndoRewindAnswer>;
  /**
   * Takes the last rewind back.
   *
   * As long as no turn has begun since. Files that somebody changed since are conflicts, as in a rewind.
   */
  undoRewind(fields: SessionsUndoRewindFields, options?: CallOptions): Promise<SessionsUndoRewindAnswer>;
  /**
   * Makes sessions that go on from a turn of this one.
   *
   * A fork has the events up to that turn as its own, and its agent remembers what was said up to there. With directory it works in a copy of the files as they were then. The session itself stays as it is.
   */
  fork(fields: SessionsForkFields, options?: CallOptions): Promise<SessionsForkAnswer>;
  /**
   * Lets another agent go on with the session.
   *
   * The new agent gets the conversation as the log has it, without what was rewound. A key that the session was given is the old agent's and is forgotten.
   */
  handOver(fields: SessionsHandOverFields, options?: CallOptions): Promise<SessionsHandOverAnswer>;
  /**
   * How the files differ between the ends of two turns, and who changed them.
   *
   * With other the comparison goes to a turn of another session; from and to are then the last turns that are over by default.
   */
  changes(fields: SessionsChangesFields, options?: CallOptions): Promise<SessionsChangesAnswer>;
}

/** Operations of `client.events`. */
export interface EventsMethods {
  /**
   * Live events of all or the named sessions; without names only state changes and requests.
   *
   * For dashboards: follows many sessions over one connection. With sessions all of their events are told; without, only state changes and requests, from now on.
   */
  stream(fields?: EventsStreamFields, options?: CallOptions): AsyncIterable<UniversalEvent>;
}

/** Operations of `client.ui`. */
export interface UiMethods {
  /**
   * Takes what the AI SDK's useChat posts and streams its chunks, up to the end of the turn or a request.
   *
   * The chat is the session with its id, which must exist. The stream ends at a request that waits for a person; the answer is the next message.
   */
  send(fields: UiSendFields, options?: CallOptions): AsyncIterable<UiChunk>;
  /**
   * The same stream for the open turn, from its beginning; nothing when no turn is open.
   *
   * For resume of useChat: 204 where no turn is open.
   */
  resume(fields: UiResumeFields, options?: CallOptions): AsyncIterable<UiChunk>;
  /**
   * The conversation as messages of the AI SDK, for useChat({ messages }).
   *
   * What a reloaded page shows. The open turn is left out: useChat gets it with resume, from the beginning of the turn.
   */
  getMessages(fields: UiGetMessagesFields, options?: CallOptions): Promise<UiHistory>;
}

/** Operations of `client.credentials`. */
export interface CredentialsMethods {
  /**
   * Which credentials were found and where; never the secrets.
   *
   * By which a person sees why an agent is or is not ready to work.
   */
  list(fields?: Nothing, options?: CallOptions): Promise<CredentialsListAnswer>;
}

/** Operations of `client.tickets`. */
export interface TicketsMethods {
  /**
   * A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect.
   *
   * So that a web page never learns the token: its server makes a ticket for each request. With a ticket one can read and follow, not change, but for a terminal: there one types, where its maker may.
   */
  create(fields?: TicketsCreateFields, options?: CallOptions): Promise<TicketsCreateAnswer>;
  /**
   * Takes the ticket of a page and gives it a key to send as its bearer token.
   *
   * The key is good for reading and following until it expires.
   */
  redeem(fields: TicketsRedeemFields, options?: CallOptions): Promise<TicketsRedeemAnswer>;
}

/** Operations of `client.tokens`. */
export interface TokensMethods {
  /**
   * Makes an access token with a scope, for all or for some sessions and agents.
   *
   * The token itself is told this once. It ends when it is revoked or expires.
   */
  create(fields: TokensCreateFields, options?: CallOptions): Promise<CreatedToken>;
  /**
   * The access tokens that let in, without the tokens themselves.
   *
   * With what each may do and when it was last used.
   */
  list(fields?: Nothing, options?: CallOptions): Promise<TokensListAnswer>;
  /**
   * Ends an access token and the streams it has open.
   *
   * At once, also for streams that are open.
   */
  revoke(fields: TokensRevokeFields, options?: CallOptions): Promise<undefined>;
}

/** Operations of `client.processes`. */
export interface ProcessesMethods {
  /**
   * Runs a program to its end and answers with its exit code and its outputs.
   *
   * Beyond maxOutput the outputs in the answer are cut; all of it is in the log of the process, which is kept under its id. A limit that is reached ends the program, and the answer says so.
   */
  run(fields: ProcessesRunFields, options?: CallOptions): Promise<ProcessesRunAnswer>;
  /**
   * Starts a process; without an id one is made.
   *
   * It runs until it ends, is ended, or its owner ends. All it writes is numbered and kept, and can be read while it runs and afterwards. When the daemon is killed it lives on, and the next daemon takes it over.
   */
  start(fields: ProcessesStartFields, options?: CallOptions): Promise<Process>;
  /**
   * Processes in the order they were started.
   *
   * Those that run, and those that have ended and are kept.
   */
  list(fields?: ProcessesListFields, options?: CallOptions): Promise<ProcessesListAnswer>;
  /**
   * One process.
   *
   * Whether it runs, how much it has written, and how it ended.
   */
  get(fields: ProcessesGetFields, options?: CallOptions): Promise<Process>;
  /**
   * Answers when the process has ended, or the time is over.
   *
   * The state in the answer tells which of the two it was. The process itself goes on.
   */
  wait(fields: ProcessesWaitFields, options?: CallOptions): Promise<Process>;
  /**
   * A page of what a process has written, from any byte on.
   *
   * offset counts the bytes of all its output together. The page ends at a piece of output; next is the offset for the page after it.
   */
  getLogs(fields: ProcessesGetLogsFields, options?: CallOptions): Promise<ProcessesGetLogsAnswer>;
  /**
   * What a process writes, from any byte on, then live; ends with the process.
   *
   * Server-sent events; the id of each is the offset behind it. Connect again with Last-Event-ID or offset and no byte is lost or told twice, also when the daemon was started anew in between.
   */
  streamLogs(fields: ProcessesStreamLogsFields, options?: CallOptions): AsyncIterable<ProcessChunk>;
  /**
   * Writes to the input of a process, or to its terminal.
   *
   * Answers when what holds the process has it. A process that reads nothing is given 1 MiB at most.
   */
  input(fields: ProcessesInputFields, options?: CallOptions): Promise<undefined>;
  /**
   * Sends a signal to a process and its group.
   *
   * What becomes of it is told by its end. To be sure that it and all it started are gone, delete it.
   */
  signal(fields: ProcessesSignalFields, options?: CallOptions): Promise<undefined>;
  /**
   * Gives the terminal of a process another size.
   *
   * For all who look at it.
   */
  resize(fields: ProcessesResizeFields, options?: CallOptions): Promise<undefined>;
  /**
   * Ends a process and all it has started; its log stays.
   *
   * Asks first, and kills what is left when the time is over. Answers when all are verified dead.
   */
  end(fields: ProcessesEndFields, options?: CallOptions): Promise<Process>;
  /**
   * Ends a process with all it has started, and removes its log.
   *
   * For good. Readers of its log end.
   */
  delete(fields: ProcessesDeleteFields, options?: CallOptions): Promise<undefined>;
  /**
   * The ports a process and all it has started listen on.
   *
   * Found in /proc: the sockets that these processes have open.
   */
  ports(fields: ProcessesPortsFields, options?: CallOptions): Promise<ProcessesPortsAnswer>;
}

/** Operations of `client.terminals`. */
export interface TerminalsMethods {
  /**
   * What is on the terminal of a process, as text with styles.
   *
   * Also after its end. For a person who wants to look and type there is the WebSocket at /processes/{processId}/attach.
   */
  screen(fields: TerminalsScreenFields, options?: CallOptions): Promise<TerminalScreen>;
  /**
   * What was written to the terminal, as an asciicast for players of recordings.
   *
   * Version 2 of that format. 64 MiB of output at most; give the offset for what follows.
   */
  recording(fields: TerminalsRecordingFields, options?: CallOptions): Promise<string>;
}

/** Operations of `client.files`. */
export interface FilesMethods {
  /**
   * What a directory holds.
   *
   * In the order of the bytes of the names, a directory before what is in it. In pages: give the path of the last entry as after for the next.
   */
  list(fields?: FilesListFields, options?: CallOptions): Promise<FilesListAnswer>;
  /**
   * What a path names.
   *
   * Of a link itself, not of what it points to.
   */
  stat(fields?: FilesStatFields, options?: CallOptions): Promise<FileEntry>;
  /**
   * The bytes of a file.
   *
   * With Range one part of them; with If-None-Match nothing (304) where they are those of that ETag.
   */
  read(fields?: FilesReadFields, options?: CallOptions): Promise<ByteAnswer>;
  /**
   * Writes a file, whole or not at all.
   *
   * Readers see the old content or the new one. With If-Match it is written only over what the caller has seen, with If-None-Match: * only where nothing is. The answer is 201 for a new file and has its ETag.
   */
  write(fields: FilesWriteFields, options?: CallOptions): Promise<WrittenFile>;
  /**
   * Adds bytes to the end of a file.
   *
   * In one piece of at most 32 MiB. A file that is not there is made.
   */
  append(fields: FilesAppendFields, options?: CallOptions): Promise<WrittenFile>;
  /**
   * Makes a directory.
   *
   * One that is there already is refused, but with parents it is as good as one that is made.
   */
  makeDirectory(fields: FilesMakeDirectoryFields, options?: CallOptions): Promise<FileEntry>;
  /**
   * Moves or renames a file or directory.
   *
   * In one step, on the same disk. A link is moved itself.
   */
  move(fields: FilesMoveFields, options?: CallOptions): Promise<FileEntry>;
  /**
   * Copies a file or directory.
   *
   * A directory with everything in it, links as links; pipes, sockets and devices are left out. What is there is replaced only as a file by a file.
   */
  copy(fields: FilesCopyFields, options?: CallOptions): Promise<FileEntry>;
  /**
   * Deletes a file, a link or a directory.
   *
   * A directory that holds something only with recursive. Of a link the link, not what it points to.
   */
  delete(fields?: FilesDeleteFields, options?: CallOptions): Promise<undefined>;
  /**
   * A directory as one archive.
   *
   * Streamed while it is read. Links are links in it; pipes, sockets and devices are left out.
   */
  download(fields?: FilesDownloadFields, options?: CallOptions): Promise<ByteAnswer>;
  /**
   * Unpacks an archive into a directory.
   *
   * Put in place when all of it has come and is sound: an archive that is refused changes nothing. What is there stays beside it, files of the same name are replaced. Refused are names and links that lead out, hard links to what is not in it, and everything that is no file, directory or link.
   */
  upload(fields: FilesUploadFields, options?: CallOptions): Promise<UploadedTree>;
  /**
   * The lines of files that hold a text.
   *
   * Files that hold a zero byte in their first 8 KiB are taken for no text and left out, and so is what .gitignore names.
   */
  search(fields: FilesSearchFields, options?: CallOptions): Promise<FilesSearchAnswer>;
  /**
   * What changes below a directory.
   *
   * Server-sent events, numbered. The first is watching; a stream that is taken up again begins with overflow, because what happened between is not known.
   */
  watch(fields?: FilesWatchFields, options?: CallOptions): AsyncIterable<FileChange>;
}

/** Every operation of the daemon as a method: `client.sessions.create({ agent: "claude" })`. */
export interface Methods {
  /**
   * Tells that the daemon answers.
   *
   * For load balancers and probes: answers without a token and without touching a session.
   */
  health(fields?: Nothing, options?: CallOptions): Promise<HealthAnswer>;
  /**
   * Name, version and what the daemon serves.
   *
   * The daemon's version, the agents it can drive, how it keeps events and since when it runs.
   */
  info(fields?: Nothing, options?: CallOptions): Promise<InfoAnswer>;
  /**
   * This API as OpenAPI 3.1.
   *
   * The document that describes every operation, as this daemon serves it.
   */
  openapi(fields?: Nothing, options?: CallOptions): Promise<OpenapiAnswer>;
  /**
   * Counters and gauges as Prometheus text.
   *
   * For Prometheus: sessions, turns, events, processes and memory. Needs a token for the whole daemon.
   */
  metrics(fields?: Nothing, options?: CallOptions): Promise<string>;
  readonly agents: AgentsMethods;
  readonly sessions: SessionsMethods;
  readonly events: EventsMethods;
  readonly ui: UiMethods;
  readonly credentials: CredentialsMethods;
  readonly tickets: TicketsMethods;
  readonly tokens: TokensMethods;
  readonly processes: ProcessesMethods;
  readonly terminals: TerminalsMethods;
  readonly files: FilesMethods;
}
