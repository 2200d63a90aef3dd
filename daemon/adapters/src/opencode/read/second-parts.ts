import { isAbsolute, join } from "node:path/posix";
import { isRecord } from "@muster/core";
import type { MessageInfo, NativeError, NativePermission, NativeQuestion } from "../wire/native.ts";
import type { SecondError, SecondForm, SecondMessage, SecondPermission } from "../wire/second.ts";

/** What OpenCode 2 tells of a message, a call and a request, in the shapes that version 1 has for them. */

/** Its texts have no ids; the place in the message is one, the same live and when it is read again. */
export function textPart(
  kind: "text" | "reasoning",
  of: { sessionID: string; messageID: string; ordinal: number; round?: number },
  text: string,
  time: { start: number; end?: number },
) {
  const { sessionID, messageID, ordinal, round = 1 } = of;
  const again = round > 1 ? `#${round}` : "";
  return { id: `${messageID}/${kind}/${ordinal}${again}`, sessionID, messageID, type: kind, text, time };
}

interface Call {
  sessionID: string;
  messageID: string;
  id: string;
  name: string;
}

export function toolPart({ sessionID, messageID, id, name }: Call, state: Record<string, unknown>) {
  return { id: `${messageID}/tool/${id}`, sessionID, messageID, type: "tool", tool: name, callID: id, state };
}

/** `metadata` of version 1: the sub-agent's session, what a command ended with, the files. */
export function callMetadata(metadata: Record<string, unknown> = {}): Record<string, unknown> {
  const { sessionID, files, ...rest } = metadata;
  return {
    ...rest,
    ...(typeof sessionID === "string" ? { sessionId: sessionID } : {}),
    ...(Array.isArray(files) ? { files: files.map(changedFile) } : {}),
  };
}

export function contentText(content: readonly { type: string; text?: string | undefined }[] = []): string {
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}

const kinds: Readonly<Record<string, string>> = { added: "add", deleted: "delete", modified: "update" };

function changedFile(file: unknown): unknown {
  if (!isRecord(file) || typeof file.status !== "string") return file;
  return { ...file, type: kinds[file.status] ?? "update" };
}

const errorNames: Readonly<Record<string, string>> = {
  aborted: "MessageAbortedError",
  "provider.auth": "ProviderAuthError",
  "provider.context-overflow": "ContextOverflowError",
};

export function errorOf({ type, message, status }: SecondError): NativeError {
  const overflow = type === "provider.invalid-request" && /context|too long|maximum.*tokens/i.test(message);
  const ofProvider = type.startsWith("provider.") ? "APIError" : "UnknownError";
  const name = overflow ? "ContextOverflowError" : (errorNames[type] ?? ofProvider);
  const statusCode = status ?? (type === "provider.rate-limit" ? 429 : undefined);
  return { name, data: { message, ...(statusCode === undefined ? {} : { statusCode }) } };
}

const actions: Readonly<Record<string, string>> = { write: "edit", patch: "edit" };

/** `input` is that of the call, where it is known: a permission for a command names only its parts. */
export function permissionOf(asked: SecondPermission, directory: string, input: unknown): NativePermission {
  const { id, sessionID, action, resources, metadata = {}, source } = asked;
  const shown = callMetadata(metadata);
  const files = Array.isArray(shown.files) ? shown.files.filter(isRecord) : [];
  const [only] = files.length === 1 ? files : [];
  const path = typeof only?.file === "string" ? only.file : undefined;
  const command =
    isRecord(input) && typeof input.command === "string" && action === "shell" ? input.command : undefined;
  return {
    id,
    sessionID,
    permission: actions[action] ?? action,
    patterns: resources,
    metadata: {
      ...shown,
      ...(command === undefined ? {} : { command }),
      ...(path === undefined ? {} : { filepath: isAbsolute(path) ? path : join(directory, path) }),
      ...(typeof only?.patch === "string" ? { diff: only.patch } : {}),
    },
    ...(source === undefined ? {} : { tool: { messageID: source.messageID, callID: source.id } }),
  };
}

export function questionOf({ id, sessionID, title, metadata, fields }: SecondForm): NativeQuestion {
  const tool = metadata?.tool;
  return {
    id,
    sessionID,
    questions: fields.map((field) => ({
      question: field.description ?? field.title ?? title ?? field.key,
      header: field.title,
      options: (field.options ?? []).map(({ label, description }) => ({ label, description })),
      multiple: field.type === "multiselect",
      custom: field.custom ?? true,
    })),
    ...(tool === undefined ? {} : { tool: { messageID: tool.messageID, callID: tool.id } }),
  };
}

/** A stored message with its parts; undefined for what is neither a person's nor the assistant's. */
export function storedMessage(message: SecondMessage, sessionID: string) {
  const { id, type, time, error } = message;
  if (type !== "user" && type !== "assistant") return undefined;
  const info: MessageInfo = {
    id,
    sessionID,
    role: type,
    time,
    ...(error === undefined ? {} : { error: errorOf(error) }),
  };
  return { info, parts: type === "assistant" ? partsOf(message, sessionID) : [] };
}

function partsOf({ id: messageID, content = [], time }: SecondMessage, sessionID: string): unknown[] {
  const next = { text: 0, reasoning: 0 };
  const span = { start: time.created, ...(time.completed === undefined ? {} : { end: time.completed }) };
  return content.flatMap(({ type, text = "", id, name, state }): object[] => {
    if (type === "text" || type === "reasoning") {
      return [textPart(type, { sessionID, messageID, ordinal: next[type]++ }, text, span)];
    }
    if (type !== "tool" || id === undefined || name === undefined || state === undefined) return [];
    const { status, input, content: output, metadata, error } = state;
    const known = status === "completed" || status === "error" || status === "running" ? status : "pending";
    const more = { metadata: callMetadata(metadata), output: contentText(output), error: error?.message };
    return [toolPart({ sessionID, messageID, id, name }, { status: known, input, ...more })];
  });
}
