import { fileURLToPath } from "node:url";

/** A program that is called like Claude Code and does what the table says. HOSTILE holds the row as JSON. */
export const hostileProgram = fileURLToPath(new URL("../programs/hostile-agent.mjs", import.meta.url));

/** One thing a hostile agent does. `$uuid` in what it says is the id of the message it was given. */
export type Act =
  | { say: unknown }
  | { text: string; times?: number }
  | { hex: string; times?: number }
  | { bytewise: unknown }
  | { stderr: string; times?: number }
  | { wait: number }
  | { exit: number }
  | { signal: "SIGKILL" | "SIGSEGV" | "SIGSTOP" | "SIGTERM" }
  | { ignore: readonly string[] }
  | { close: "stdin" | "stdout" | "stderr" }
  /** Children that hold our stdout, or sessions of their own that hold nothing. */
  | { children: number; hold: "stdout" | "nothing"; says?: string }
  | { finish: string };

export interface HostileAgent {
  kind: string;
  /** Instead of the answer to `initialize`. */
  atStart?: readonly Act[];
  /** Said before the right answer to `initialize`. */
  beforeReady?: readonly Act[];
  /** At every message. What does not finish the turn leaves that to the daemon. */
  atMessage?: readonly Act[];
  /** The daemon waits a minute for an agent that starts: only in the long form. */
  isSlow?: true;
}

const initialized = (id: unknown, response: unknown = { commands: [], models: [] }) => ({
  say: { type: "control_response", response: { subtype: "success", request_id: id, response } },
});
const ready = initialized("initialize");
const assistant = (content: unknown, id: unknown = "msg_1") => ({
  say: { type: "assistant", message: { id, role: "assistant", content }, parent_tool_use_id: null },
});
const words = (text: string) => assistant([{ type: "text", text }]);
const result = (fields: object = {}) => ({
  say: { type: "result", subtype: "success", is_error: false, result: "done", ...fields },
});
const life = (state: string, uuid = "$uuid") => ({ say: { type: "command_lifecycle", command_uuid: uuid, state } });
const permission = (id: unknown, fields: object = { tool_name: "Bash", input: { command: "true" } }) => ({
  say: { type: "control_request", request_id: id, request: { subtype: "can_use_tool", ...fields } },
});
const delta = (index: unknown, fields: object = { delta: { type: "text_delta", text: "x" } }) => ({
  say: { type: "stream_event", event: { type: "content_block_delta", index, ...fields } },
});
const done = { finish: "done" };
const many = <T>(count: number, act: T): T[] => Array.from({ length: count }, () => act);
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

export const hostileAgents: readonly HostileAgent[] = [
  { kind: "exits at once", atStart: [{ exit: 0 }] },
  { kind: "exits at once with a code", atStart: [{ exit: 3 }] },
  { kind: "is killed while it starts", atStart: [{ signal: "SIGKILL" }] },
  { kind: "never gets ready", atStart: [], isSlow: true },
  { kind: "closes its output while it starts", atStart: [{ close: "stdout" }], isSlow: true },
  { kind: "closes its input while it starts", atStart: [{ close: "stdin" }, ready], atMessage: [] },
  { kind: "floods stderr and leaves", atStart: [{ stderr: "oh no\n", times: 200_000 }, { exit: 1 }] },
  { kind: "answers another question than ours", atStart: [initialized("somebody else"), { exit: 1 }] },
  {
    kind: "says that it cannot start",
    atStart: [
      { say: { type: "control_response", response: { subtype: "error", request_id: "initialize", error: "no" } } },
      { exit: 1 },
    ],
  },
  { kind: "gets ready with wrong types", atStart: [initialized("initialize", [1, null, "x"])], atMessage: [done] },
  { kind: "gets ready with models that are none", atStart: [initialized("initialize", { models: { a: 7 } })] },
  { kind: "leaves half a line while it starts", atStart: [{ text: '{"type":"control_resp' }, { exit: 0 }] },
  { kind: "says 20 MB before it is ready", beforeReady: [{ text: "x", times: 20_000_000 }, { text: "\n" }] },
  { kind: "says garbage before it is ready", beforeReady: [{ text: "garbage\n" }, { text: "{}\n" }] },
  { kind: "gets ready twice", atStart: [ready, ready], atMessage: [done] },
  { kind: "says a result before anybody asked", atStart: [result(), ready], atMessage: [done] },

  { kind: "hangs", atMessage: [] },
  { kind: "hangs and ignores SIGTERM", atMessage: [{ ignore: ["SIGTERM"] }] },
  {
    kind: "hangs and ignores every signal it can",
    atMessage: [{ ignore: ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] }],
  },
  { kind: "stops itself", atMessage: [{ signal: "SIGSTOP" }] },
  { kind: "exits in the turn", atMessage: [{ exit: 0 }] },
  { kind: "exits in the turn with a code", atMessage: [words("well"), { exit: 9 }] },
  { kind: "is killed in the turn", atMessage: [words("well"), { signal: "SIGKILL" }] },
  { kind: "crashes in the turn", atMessage: [{ signal: "SIGSEGV" }] },
  { kind: "leaves half a line", atMessage: [{ text: '{"type":"assistant","mess' }, { exit: 0 }] },
  { kind: "says half a line and hangs", atMessage: [{ text: '{"type":"assistant","mess' }] },
  { kind: "says 20 MB without a line end", atMessage: [{ text: "x", times: 20_000_000 }] },
  { kind: "says one line of 20 MB and goes on", atMessage: [{ text: "x", times: 20_000_000 }, { text: "\n" }, done] },
  {
    kind: "says one line of 1 GB and goes on",
    atMessage: [{ text: "x", times: 1_000_000_000 }, { text: "\n" }, done],
    isSlow: true,
  },
  { kind: "says 200,000 empty lines", atMessage: [{ text: "\n", times: 200_000 }, done] },
  { kind: "says 20,000 lines nobody understands", atMessage: [{ text: '{"type":"riddle"}\n', times: 20_000 }, done] },
  { kind: "says NULs", atMessage: [{ hex: "00", times: 100_000 }, { text: "\n" }, done] },
  { kind: "says NULs inside a text", atMessage: [words("a\u0000b"), done] },
  { kind: "says bytes that are not UTF-8", atMessage: [{ hex: "7b22fffec328227d0a" }, done] },
  { kind: "speaks UTF-16", atMessage: [{ hex: "fffe7b002200740022003a0031007d000a00" }, done] },
  { kind: "begins lines with a byte order mark", atMessage: [{ text: "\ufeff{}\n" }, done] },
  { kind: "ends lines with CR LF", atMessage: [{ text: '{"type":"riddle"}\r\n' }, done] },
  { kind: "has line separators inside a text", atMessage: [words("a\u2028b\u2029c"), done] },
  { kind: "says arrays and scalars", atMessage: [{ text: '[]\n[{}]\nnull\n1\n"x"\ntrue\n' }, done] },
  { kind: "nests 100,000 levels", atMessage: [{ text: `${nested(100_000)}\n` }, done] },
  {
    kind: "nests 5,000 levels in a tool's input",
    atMessage: [
      {
        text: `{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":${nested(5_000)}}]}}\n`,
      },
      done,
    ],
  },
  { kind: "says lines without a type", atMessage: [{ say: {} }, { say: { type: null } }, { say: { type: 7 } }, done] },
  {
    kind: "has content of wrong types",
    atMessage: [assistant("text"), assistant(7), assistant(null), assistant([null, 1]), done],
  },
  {
    kind: "has no message in its message",
    atMessage: [{ say: { type: "assistant" } }, { say: { type: "user" } }, done],
  },
  { kind: "ends with a result of nothing", atMessage: [{ say: { type: "result" } }] },
  {
    kind: "counts in words",
    atMessage: [result({ total_cost_usd: "much", usage: { input_tokens: "many" } }), life("completed")],
  },
  {
    kind: "costs less than nothing",
    atMessage: [result({ total_cost_usd: -1, usage: { input_tokens: -5, output_tokens: 1e308 } }), life("completed")],
  },
  {
    kind: "calls itself __proto__",
    atMessage: [
      assistant([{ type: "tool_use", id: "__proto__", name: "constructor", input: {} }], "__proto__"),
      { text: '{"__proto__":{"type":"result"},"type":"constructor"}\n' },
      done,
    ],
  },
  { kind: "ends its turn twice", atMessage: [done, done] },
  {
    kind: "ends its turn a thousand times",
    atMessage: [{ text: `${JSON.stringify(result().say)}\n`, times: 1_000 }, done],
  },
  {
    kind: "answers requests nobody made",
    atMessage: [...many(100, initialized("muster_99")), initialized(null), done],
  },
  {
    kind: "asks for what nobody has",
    atMessage: [
      { say: { type: "control_request", request_id: "r", request: { subtype: "teleport" } } },
      { say: { type: "control_request" } },
      done,
    ],
  },
  {
    kind: "asks permission for nothing",
    atMessage: [permission("p", {}), permission("q", { tool_name: 7, input: "x" }), done],
  },
  { kind: "asks a thousand times under one id", atMessage: [...many(1_000, permission("same")), done] },
  {
    kind: "asks 300 things and leaves",
    atMessage: [...Array.from({ length: 300 }, (_, n) => permission(`p${n}`)), { exit: 0 }],
  },
  {
    kind: "takes back what it never asked",
    atMessage: [
      { say: { type: "control_cancel_request", request_id: "never" } },
      { say: { type: "control_cancel_request" } },
      done,
    ],
  },
  {
    kind: "has results of tools it never called",
    atMessage: [
      {
        say: {
          type: "user",
          message: { role: "user", content: [{ type: "tool_result", tool_use_id: "no", content: "x" }] },
        },
      },
      done,
    ],
  },
  {
    kind: "calls one tool a hundred times under one id",
    atMessage: [...many(100, assistant([{ type: "tool_use", id: "t", name: "Bash", input: { command: "x" } }])), done],
  },
  {
    kind: "goes on with what it never began",
    atMessage: [delta(0), delta(-1), delta(1e9), delta("x"), delta(0, {}), { say: { type: "stream_event" } }, done],
  },
  {
    kind: "says 50,000 deltas and hangs",
    atMessage: [
      {
        say: {
          type: "stream_event",
          event: { type: "message_start", message: { id: "m", role: "assistant", content: [] } },
        },
      },
      {
        say: {
          type: "stream_event",
          event: { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        },
      },
      { text: `${JSON.stringify(delta(0).say)}\n`, times: 50_000 },
    ],
  },
  {
    kind: "speaks of messages nobody sent",
    atMessage: [life("completed", "nobody"), life("started", ""), life("teleported"), done],
  },
  { kind: "is done before it began", atMessage: [life("completed"), life("started"), done] },
  {
    kind: "changes its session in the turn",
    atMessage: [{ say: { type: "system", subtype: "init", session_id: "other", cwd: "/" } }, done],
  },
  { kind: "speaks after its turn and leaves", atMessage: [done, words("late"), delta(0), { wait: 50 }, { exit: 0 }] },
  { kind: "speaks after its exit", atMessage: [{ children: 1, hold: "stdout", says: "late" }, done, { exit: 0 }] },
  { kind: "leaves children that hold its output", atMessage: [{ children: 10, hold: "stdout" }, { exit: 0 }] },
  { kind: "leaves sessions of their own", atMessage: [{ children: 10, hold: "nothing" }, done, { exit: 0 }] },
  { kind: "closes its output and stays", atMessage: [words("well"), { close: "stdout" }] },
  { kind: "closes its input and stays", atMessage: [{ close: "stdin" }, done] },
  {
    kind: "closes everything and stays",
    atMessage: [{ ignore: ["SIGTERM"] }, { close: "stdin" }, { close: "stderr" }, { close: "stdout" }],
  },
  { kind: "says 10 MB to stderr without a line end", atMessage: [{ stderr: "x", times: 10_000_000 }, done] },
  { kind: "never stops talking to stderr", atMessage: [done, { stderr: "again\n", times: 500_000 }] },
  { kind: "says its turn byte by byte", atMessage: [{ bytewise: words("slowly").say }, done] },
  { kind: "says escape sequences", atMessage: [words("\u001b[2J\u001b]0;title\u0007\r\b"), done] },
  {
    kind: "says half a character",
    atMessage: [
      {
        text: '{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"\\ud800"}]}}\n',
      },
      done,
    ],
  },
  {
    kind: "says one thing twice in one line",
    atMessage: [{ text: '{"type":"result","type":"assistant","type":"riddle"}\n' }, done],
  },
  {
    kind: "has a tool with a name of 1 MB",
    atMessage: [assistant([{ type: "tool_use", id: "t", name: "N".repeat(1_000_000), input: {} }]), done],
  },
];
