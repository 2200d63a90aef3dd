import type { z } from "zod";
import { AccessToken, CreatedToken, CreateToken } from "../access/access-tokens.ts";
import {
  AgentInfo,
  Capabilities,
  CredentialInfo,
  InstallAgent,
  InstalledAgent,
  LiveSetting,
  Mode,
  Model,
  ServerStatus,
  UninstalledAgent,
} from "../agents.ts";
import { Cause } from "../cause.ts";
import { eventData } from "../events/index.ts";
import { PlanEntry } from "../events/reports.ts";
import { AgentCommand, StderrExcerpt } from "../events/sessions.ts";
import { TurnStatus } from "../events/turns.ts";
import { Usage } from "../events/usage.ts";
import {
  ModelRequest,
  ModelUsage,
  SubAgentUsage,
  TurnUsage,
  UsageReport,
  UsedTokens,
  WireUsage,
} from "../events/wire-usage.ts";
import { FileChange, FileEntry, FileMatch, UploadedTree, WrittenFile } from "../files.ts";
import { Item, ItemKind, ItemStatus, Role } from "../item.ts";
import {
  Attachment,
  AttachmentInfo,
  ConversationMessage,
  Delivery,
  MessageStatus,
  SendMessage,
  SentMessage,
  UniversalMessage,
  UnparsedMessage,
} from "../messages.ts";
import { operations } from "../operations/index.ts";
import type { Operation } from "../operations/operation.ts";
import {
  FilePart,
  ImagePart,
  JsonPart,
  Part,
  PlanPart,
  ReasoningPart,
  StatusPart,
  TextPart,
  ToolCallPart,
  ToolKind,
  ToolResultPart,
} from "../parts.ts";
import { Problem, ProblemCode } from "../problem.ts";
import {
  AdoptedChunk,
  DamagedChunk,
  EndedChunk,
  OutputChunk,
  Process,
  ProcessChunk,
  ProcessEnd,
  ProcessLimits,
  ProcessPort,
  ResizedChunk,
  RunProcess,
  ScreenRun,
  StartProcess,
  TerminalScreen,
  TerminalSize,
} from "../processes.ts";
import {
  AllowedPrompt,
  AlwaysScope,
  PendingRequests,
  PermissionAction,
  PermissionDetail,
  Question,
  QuestionKind,
  QuestionOption,
  RejectQuestion,
  ReplyPermission,
  ReplyQuestion,
} from "../requests.ts";
import {
  AgentError,
  AgentName,
  AgentState,
  CreatedSession,
  CreateSession,
  EnvironmentValue,
  InterruptSession,
  Keys,
  Limits,
  MarkedSecret,
  McpCommand,
  McpServer,
  McpUrl,
  PermissionMode,
  Session,
  SessionState,
  SessionUsage,
  UpdateSession,
} from "../session.ts";
import { ChatMessage, SendUi, UiChunk, UiHistory, UiMessage, UiPart } from "../ui.ts";
import { EventSource, eventSchemas, Truncated, UniversalEvent } from "../universal-event.ts";

/** The concepts that get a name of their own in generated documents and clients. */
const concepts = {
  AgentName,
  PermissionMode,
  SessionState,
  AgentState,
  LiveSetting,
  ItemKind,
  ItemStatus,
  Role,
  ToolKind,
  MessageStatus,
  Delivery,
  TurnStatus,
  Cause,
  ProblemCode,
  PermissionAction,
  QuestionKind,
  EventSource,
  TextPart,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  FilePart,
  ImagePart,
  PlanPart,
  StatusPart,
  JsonPart,
  Part,
  Item,
  Usage,
  WireUsage,
  ModelRequest,
  PlanEntry,
  AgentCommand,
  StderrExcerpt,
  AttachmentInfo,
  QuestionOption,
  Question,
  AllowedPrompt,
  PermissionScope: AlwaysScope,
  PermissionDetail,
  Truncated,
  ...eventNames(),
  UniversalEvent,
  Problem,
  AgentError,
  Limits,
  MarkedSecret,
  EnvironmentValue,
  McpCommand,
  McpUrl,
  McpServer,
  CreateSession,
  UpdateSession,
  SessionUsage,
  Keys,
  UsedTokens,
  ModelUsage,
  TurnUsage,
  SubAgentUsage,
  UsageReport,
  Session,
  CreatedSession,
  InterruptSession,
  Attachment,
  SendMessage,
  SentMessage,
  ConversationMessage,
  UnparsedMessage,
  UniversalMessage,
  PendingRequests,
  ReplyQuestion,
  RejectQuestion,
  ReplyPermission,
  Capabilities,
  ServerStatus,
  AgentInfo,
  Model,
  Mode,
  InstallAgent,
  InstalledAgent,
  UninstalledAgent,
  CredentialInfo,
  AccessToken,
  CreateToken,
  CreatedToken,
  SendUi,
  UiPart,
  UiMessage,
  UiChunk,
  ChatMessage,
  UiHistory,
  TerminalSize,
  ProcessLimits,
  StartProcess,
  RunProcess,
  ProcessEnd,
  Process,
  OutputChunk,
  ResizedChunk,
  AdoptedChunk,
  EndedChunk,
  DamagedChunk,
  ProcessChunk,
  ProcessPort,
  ScreenRun,
  TerminalScreen,
  FileEntry,
  WrittenFile,
  FileMatch,
  UploadedTree,
  FileChange,
} as const satisfies Record<string, z.ZodType>;

const words = new Map<z.ZodType, string>();

/** Name → schema: the concepts, and the bodies and answers of operations that are none of them. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = { ...concepts, ...operationNames() };

export const schemaNames = new Map<unknown, string>(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);

/** `turn.ended` holds a TurnEnded and is a TurnEndedEvent. */
function eventNames(): Record<string, z.ZodType> {
  const named: Record<string, z.ZodType> = {};
  for (const [type, schema] of Object.entries(eventSchemas)) {
    // `Error` would hide the one every language has.
    named[type === "error" ? "ErrorReported" : pascal(type)] = eventData[type as keyof typeof eventData];
    named[`${pascal(type)}Event`] = schema;
  }
  return named;
}

function operationNames(): Record<string, z.ZodType> {
  const known = new Set<unknown>(Object.values(concepts));
  const named: Record<string, z.ZodType> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const { body, response, summary }: Operation = operation;
    const add = (name: string, schema: z.ZodType) => {
      if (known.has(schema)) return;
      named[name] = schema;
      if (schema.description === undefined) words.set(schema, summary);
    };
    if (body !== undefined && Object.keys(body.shape).length > 0) add(bodyName(id), body);
    if (response !== undefined) add(`${pascal(id)}Answer`, response);
  }
  return named;
}

/** What a body or answer that has no words of its own is: what its operation does. */
export function wordsOf(schema: z.ZodType): string | undefined {
  return schema.description ?? words.get(schema);
}

/** `sessions.replyPermission` takes a ReplyPermission, `tickets.create` a CreateTicket. */
function bodyName(id: string): string {
  const [group = id, name = group] = id.split(".");
  return /[A-Z]/.test(name) ? pascal(name) : `${pascal(name)}${pascal(group).replace(/s$/, "")}`;
}

function pascal(text: string): string {
  return text
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
