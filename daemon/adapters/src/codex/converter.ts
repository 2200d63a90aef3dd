import {
  isRequest,
  isResponse,
  isRpcMessage,
  type RpcRequest,
  type RpcResponse,
  refusal,
} from "../channel/json-rpc.ts";
import type { Converter, Input } from "../converter/converter.ts";
import { emit } from "../converter/steps.ts";
import { unparsed } from "../converter/unparsed.ts";
import { addThreadStatus } from "./read/items.ts";
import { onNotification } from "./read/on-notification.ts";
import { onAccessApproval, onCommandApproval, onElicitation, onFileApproval, onUserInput } from "./read/on-request.ts";
import { finishTurn, nameTurn } from "./read/turns.ts";
import { type CodexNative, type ServerRequestMethod, serverRequests, ThreadOpened, Turn } from "./wire/native.ts";
import { type CodexSettings, type CodexState, type CodexStep, initialState, reply } from "./wire/state.ts";
import { purposeOf, writeCommand } from "./write/commands.ts";

/** The converter of one session. Its first line is the answer to `thread/start` or `thread/resume`. */
export function codexConverter(settings: CodexSettings): Converter<CodexState, CodexNative> {
  return {
    initial: (resume) => initialState(settings, resume),
    step(state: CodexState, input: Input<CodexNative>): CodexStep {
      if ("native" in input) return stepNative(state, input.native);
      if ("command" in input) return writeCommand(state, input.command);
      return emit(state);
    },
  };
}

function stepNative(state: CodexState, native: unknown): CodexStep {
  if (!isRpcMessage(native)) return emit(state, unparsed(native, "The line is no JSON-RPC message", "codex"));
  if (isResponse(native)) return onResponse(state, native);
  return isRequest(native) ? onRequest(state, native) : onNotification(state, native);
}

/** Answers to our own requests. */
function onResponse(state: CodexState, line: RpcResponse): CodexStep {
  const { method, subject } = purposeOf(line.id);
  if ("error" in line) return onError(state, method, line);
  const opened = ThreadOpened.safeParse(line.result);
  if (opened.success) return onThreadOpened(state, opened.data);
  const { result } = line;
  const turn = Turn.safeParse(typeof result === "object" && result !== null && "turn" in result ? result.turn : null);
  const isOurs = subject === "" || state.turn?.messageIds.includes(subject) === true;
  if (turn.success && isOurs) return nameTurn(state, turn.data.id);
  // What else was asked is told by notifications; that it was heard needs no event.
  return emit(state);
}

function onThreadOpened(state: CodexState, { thread, model, cwd, reasoningEffort }: ThreadOpened): CodexStep {
  if (state.threadId !== undefined) return emit(state);
  const facts = { ready: true, agentVersion: thread.cliVersion, nativeSessionId: thread.id, model };
  const variant = state.variant ?? reasoningEffort ?? undefined;
  return emit({ ...state, facts, threadId: thread.id, model, directory: cwd, variant });
}

function onError(state: CodexState, method: string, { error }: Extract<RpcResponse, { error: unknown }>): CodexStep {
  if (method === "turn/start")
    return finishTurn(state, { status: "failed", cause: "agent_error", message: error.message });
  // The turn was over before the interrupt arrived.
  if (method === "turn/interrupt" || method === "thread/backgroundTerminals/clean") return emit(state);
  return addThreadStatus(state, state.threadId ?? "", { label: "refused", detail: `${method}: ${error.message}` });
}

/** What Codex asks us. */
function onRequest(state: CodexState, line: RpcRequest): CodexStep {
  const { id, method, params } = line;
  // Asked again with the same id when a connection is taken up anew.
  if (state.requests.has(String(id))) return emit(state);
  if (!Object.hasOwn(serverRequests, method)) {
    const text = `This client does not answer ${method}`;
    return reply(state, [unparsed(line, text, "codex")], [refusal(id, text)]);
  }
  const known = method as ServerRequestMethod;
  const read = serverRequests[known].safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    const text = `${method} ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
    return reply(state, [unparsed(line, text, "codex")], [refusal(id, text)]);
  }
  const answer = askers[known] as (state: CodexState, id: RpcRequest["id"], params: unknown) => CodexStep;
  return answer(state, id, read.data);
}

const askers = {
  "item/commandExecution/requestApproval": onCommandApproval,
  "item/fileChange/requestApproval": onFileApproval,
  "item/permissions/requestApproval": onAccessApproval,
  "item/tool/requestUserInput": onUserInput,
  "mcpServer/elicitation/request": onElicitation,
} as const satisfies Record<ServerRequestMethod, unknown>;
