import type { Piece } from "../../wire/native.ts";
import { runShell } from "./run-shell.ts";
import type { Prompt, Script } from "./script.ts";
import type { OpenBlock, Turn } from "./turn.ts";

type Call = Extract<Piece, { as: "call" }>;

/** Opens a call and lets its arguments stream in. */
export function openCall(
  turn: Turn,
  call: Omit<Call, "as" | "call">,
  options: { detached?: boolean } = {},
): { block: OpenBlock; piece: Call } {
  const piece: Call = { as: "call", call: `call_${turn.newId()}`, ...call };
  const block = turn.open({ what: "tool_call", voice: "assistant", pieces: [{ ...piece, args: {} }], ...options });
  for (const part of JSON.stringify(call.args).match(/[\s\S]{1,16}/gu) ?? []) block.more(0, "args", part);
  block.settle(0, piece);
  return { block, piece };
}

/** Shuts a call and says what came of it. */
export function endCall(
  turn: Turn,
  { block, piece }: { block: OpenBlock; piece: Call },
  { refused = false, ...result }: { printed: string; ok: boolean; refused?: boolean; code?: number; value?: unknown },
  touched: Extract<Piece, { as: "touched" }>[] = [],
): void {
  const state = result.ok ? "completed" : refused ? "cancelled" : "failed";
  block.close({ state, pieces: [piece] });
  turn.whole({
    what: "tool_result",
    voice: "tool",
    state,
    pieces: [{ as: "outcome", call: piece.call, ...result }, ...touched],
  });
}

const tool: Script = async ({ turn }) => {
  const call = openCall(turn, { tool: "shell", sort: "execute", args: { command: "ls" }, label: "ls" });
  await turn.breathe();
  call.block.more(0, "printed", "README.md\n");
  call.block.more(0, "printed", "src\n");
  endCall(turn, call, { printed: "README.md\nsrc\n", ok: true, code: 0 });
  await turn.tell("There are two entries.");
  return undefined;
};

const file: Script = async ({ turn }) => {
  const path = `${turn.settings.directory}/hello.txt`;
  const call = openCall(turn, { tool: "write", sort: "edit", args: { path, content: "hello\n" }, label: "hello.txt" });
  await turn.breathe();
  const patch = "--- /dev/null\n+++ b/hello.txt\n@@ -0,0 +1 @@\n+hello\n";
  endCall(turn, call, { printed: "written", ok: true }, [{ as: "touched", file: path, how: "write", patch }]);
  await turn.tell("I pretended to write hello.txt.");
  return undefined;
};

/** The one tool that is not pretended: whoever wants to see files change needs an agent that changes them. */
const doCommand: Script = async ({ turn, argument }) => {
  const call = openCall(turn, {
    tool: "shell",
    sort: "execute",
    args: { command: argument },
    label: argument.slice(0, 80),
  });
  const show = (text: string) => call.block.more(0, "printed", text);
  const { printed, code } = await runShell(argument, { cwd: turn.settings.directory, signal: turn.signal, show });
  endCall(turn, call, { printed, ok: code === 0, code });
  await turn.tell(`The command ended with ${code}.`);
  return undefined;
};

const subagent: Script = async ({ turn }) => {
  const task = { task: "count the files" };
  const call = openCall(turn, { tool: "helper", sort: "agent", args: task, label: "A helper counts" });
  await turn.tell("I am the helper. I count two files.", call.block.id);
  endCall(turn, call, { printed: "two files", ok: true, value: { files: 2 } });
  await turn.tell("My helper found two files.");
  return undefined;
};

const lateItem: Script = async ({ turn, afterwards }) => {
  const args = { command: "sleep 0.05" };
  const call = openCall(turn, { tool: "shell", sort: "execute", args, label: args.command }, { detached: true });
  afterwards(() => setTimeout(() => endCall(turn, call, { printed: "late", ok: true, code: 0 }), 50));
  await turn.tell("It goes on in the background.");
  return undefined;
};

const selfTurn: Script = async ({ turn, afterwards, ownTurn }) => {
  const later = async (own: Turn) => {
    await own.tell("Nobody asked for this turn.");
    return undefined;
  };
  afterwards(() => setTimeout(() => ownTurn(later), 50));
  await turn.tell("There will be another turn.");
  return undefined;
};

export const toolPrompts: Record<string, Prompt> = {
  tool: { usage: "tool", does: "calls a pretended tool", run: tool },
  file: { usage: "file", does: "pretends to write a file", run: file },
  do: { usage: "do <command>", does: "really runs a command in its directory", run: doCommand },
  subagent: { usage: "subagent", does: "lets a helper do something", run: subagent },
  "late-item": { usage: "late-item", does: "a call that ends after its turn", run: lateItem },
  "self-turn": { usage: "self-turn", does: "a turn nobody asked for follows this one", run: selfTurn },
};
