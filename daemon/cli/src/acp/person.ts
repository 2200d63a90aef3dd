import type {
  ClientCapabilities,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  PermissionOption,
  RequestPermissionResponse,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type {
  PermissionAction,
  PermissionRequested,
  Question,
  QuestionRequested,
  ReplyPermission,
} from "@muster/schema";
import type { JsonRpcPeer } from "./json-rpc.ts";
import { diffContent, textContent } from "./session-updates.ts";

/** The person in the editor: asked by its dialogs. */
export interface EditorPerson {
  peer: JsonRpcPeer;
  capabilities: ClientCapabilities;
  sessionId: string;
}

const permissionOptions: PermissionOption[] = [
  { optionId: "once", kind: "allow_once", name: "Allow once" },
  { optionId: "always", kind: "allow_always", name: "Always allow" },
  { optionId: "reject", kind: "reject_once", name: "Reject" },
];

/** undefined: the dialog was closed without an answer. */
export async function askPermission(
  person: EditorPerson,
  { permissionId, title, action, detail, alwaysScope }: PermissionRequested,
  callId: string | undefined,
): Promise<ReplyPermission["reply"] | undefined> {
  const [path = ""] = detail?.paths ?? [];
  const call: ToolCallUpdate = {
    toolCallId: callId ?? permissionId,
    title,
    kind: kinds[action],
    status: "pending",
    rawInput: detail?.input ?? detail,
    ...(detail?.diff !== undefined && { content: diffContent(path, detail.diff) }),
    ...(detail?.paths !== undefined && { locations: detail.paths.map((one) => ({ path: one })) }),
  };
  const granted = alwaysScope.map(({ pattern }) => pattern).join(", ");
  const options = permissionOptions
    .filter(({ optionId }) => optionId !== "always" || alwaysScope.length > 0)
    .map((option) => (option.optionId === "always" ? { ...option, name: `Always allow ${granted}` } : option));
  return (await choose(person, call, options)) as ReplyPermission["reply"] | undefined;
}

/** The answers; undefined where the person declines, or the editor has no way to ask. */
export async function askQuestion(
  person: EditorPerson,
  asked: QuestionRequested,
  callId: string | undefined,
): Promise<string[][] | undefined> {
  if (asked.kind === "plan_approval") return await askPlan(person, asked, callId);
  if (person.capabilities.elicitation?.form) return await askForm(person, asked, callId);
  const answers: string[][] = [];
  for (const question of asked.questions) {
    const answer = question.options.length === 0 ? undefined : await askOptions(person, asked, question, callId);
    if (answer === undefined) return undefined;
    answers.push([answer]);
  }
  return answers;
}

async function askPlan(person: EditorPerson, { questionId, questions }: QuestionRequested, callId: string | undefined) {
  const [{ question = "", body = "", options = [] } = {}] = questions;
  const offered = options.map(({ id, label }) => ({ optionId: id, name: label, kind: planKinds[id] ?? "reject_once" }));
  const toolCallId = callId ?? questionId;
  const content = body === "" ? [] : [textContent(body)];
  const answer = await choose(
    person,
    { toolCallId, title: question, kind: "switch_mode", status: "pending", content },
    offered,
  );
  return answer === undefined ? undefined : [[answer]];
}

const planKinds: Readonly<Record<string, PermissionOption["kind"]>> = {
  approve: "allow_once",
  approve_edits: "allow_always",
  reject: "reject_once",
};

async function askOptions(
  person: EditorPerson,
  { questionId }: QuestionRequested,
  { question, options }: Question,
  callId: string | undefined,
): Promise<string | undefined> {
  const offered = options.map(({ id, label, description }): PermissionOption => {
    return { optionId: id, kind: "allow_once", name: description === undefined ? label : `${label}: ${description}` };
  });
  const skip: PermissionOption = { optionId: skipId, kind: "reject_once", name: "Do not answer" };
  const call: ToolCallUpdate = { toolCallId: callId ?? questionId, title: question, kind: "other", status: "pending" };
  const answer = await choose(person, call, [...offered, skip]);
  return answer === skipId ? undefined : answer;
}

const skipId = "muster:skip";

async function askForm({ peer, sessionId }: EditorPerson, { questions }: QuestionRequested, toolCallId?: string) {
  const properties = Object.fromEntries(questions.flatMap(propertiesOf));
  const message = questions.map(({ question }) => question).join("\n");
  const requestedSchema = { type: "object", properties };
  const request = { mode: "form", sessionId, toolCallId, message, requestedSchema };
  const answer = (await peer.request("elicitation/create", request)) as CreateElicitationResponse;
  if (answer.action !== "accept") return undefined;
  const content = Object(answer.content) as Record<string, unknown>;
  return questions.map((question) => answerIn(content, question));
}

/** The fields of one question. A form has no list one may also write into: own words have a field beside it. */
function propertiesOf(asked: Question): [string, ElicitationPropertySchema][] {
  const { id, header, question, type, options, multiSelect } = asked;
  const head = { title: header ?? question, description: question };
  if (options.length === 0) return [[id, { type, ...head }]];
  const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
  const list: ElicitationPropertySchema = multiSelect
    ? { type: "array", ...head, items: { anyOf: choices } }
    : { type: "string", ...head, oneOf: choices };
  if (!asked.allowCustom) return [[id, list]];
  const own = {
    title: `${head.title}: own words`,
    description: "Instead of the list, or beside it where several count",
  };
  return [
    [id, list],
    [ownWordsOf(id), { type: "string", ...own }],
  ];
}

function answerIn(content: Record<string, unknown>, { id, options, multiSelect, allowCustom }: Question): string[] {
  const chosen = [content[id] ?? []].flat().map(String);
  const own = options.length > 0 && allowCustom ? String(content[ownWordsOf(id)] ?? "").trim() : "";
  if (own === "") return chosen;
  return multiSelect ? [...new Set([...chosen, own])] : [own];
}

const ownWordsOf = (id: string) => `${id} (own words)`;

async function choose(
  { peer, sessionId }: EditorPerson,
  toolCall: ToolCallUpdate,
  options: readonly PermissionOption[],
): Promise<string | undefined> {
  const answer = await peer.request("session/request_permission", { sessionId, toolCall, options });
  const { outcome } = answer as RequestPermissionResponse;
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}

const kinds: Readonly<Record<PermissionAction, ToolCallUpdate["kind"]>> = {
  execute: "execute",
  edit: "edit",
  read: "read",
  fetch: "fetch",
  mcp: "other",
  other: "other",
};
