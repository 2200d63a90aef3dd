import { spawn } from "node:child_process";
import { numberOf } from "./plain-prompts.ts";
import type { Prompt, Script } from "./script.ts";
import { openCall } from "./tool-prompts.ts";
import type { Turn } from "./turn.ts";

const error: Script = async ({ turn }) => {
  await turn.tell("This will not end well.");
  const trouble = { code: "provider_error", text: "The pretended provider failed" } as const;
  turn.say({ ev: "trouble", ...trouble, again: false, facts: { status: 529 } });
  return { outcome: "broken", trouble };
};

const unparsed: Script = async ({ turn }) => {
  await turn.output.raw("this line is not JSON\n");
  turn.say({ ev: "riddle", answer: 42 } as never);
  await turn.tell("I said two things nobody understands.");
  return undefined;
};

const hang: Script = async ({ turn }) => {
  turn.stubborn = true;
  await forever(turn);
  return undefined;
};

const hangTool: Script = async ({ turn }) => {
  turn.stubborn = true;
  openCall(turn, { tool: "shell", sort: "execute", args: { command: "sleep infinity" }, label: "sleep infinity" });
  await forever(turn);
  return undefined;
};

const ignoreSigterm: Script = async ({ turn, program }) => {
  turn.stubborn = true;
  program.becomeStubborn();
  await turn.tell("I will not go.");
  await forever(turn);
  return undefined;
};

function forever(turn: Turn): Promise<void> {
  return turn.pause(2 ** 31 - 1);
}

const crash: Script = async ({ turn, argument, program }) => {
  const block = turn.open({ what: "message", voice: "assistant", pieces: [{ as: "words", words: "" }] });
  block.more(0, "words", "I feel unwell");
  process.stderr.write("mock agent: crashing as told\n");
  await program.exit(numberOf(argument, 1));
  return undefined;
};

const end: Script = async ({ turn, program, afterwards }) => {
  await turn.tell("Goodbye.");
  afterwards(() => void program.leave());
  return undefined;
};

const closeStdin: Script = async ({ turn, program }) => {
  await program.closeStdin();
  await turn.tell("I no longer listen.");
  return undefined;
};

const longLine: Script = async ({ turn, argument }) => {
  const bytes = numberOf(argument, 1_000_000);
  const pieces = [{ as: "words" as const, words: "\u0000" }];
  const block = { block: `b${turn.newId()}`, what: "message", voice: "assistant", state: "completed" } as const;
  const [before = "", after = ""] = JSON.stringify(turn.frame({ ev: "block", ...block, pieces })).split("\\u0000");
  await turn.output.raw(before);
  const part = "x".repeat(Math.min(bytes, 1024 * 1024));
  for (let left = bytes; left > 0; left -= part.length) {
    await turn.output.raw(left < part.length ? part.slice(0, left) : part);
  }
  await turn.output.raw(`${after}\n`);
  await turn.tell(`I said a line of ${bytes} bytes.`);
  return undefined;
};

const invalidUtf8: Script = async ({ turn }) => {
  await turn.output.raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x7d, 0x0a]));
  await turn.tell("I said bytes that are not text.");
  return undefined;
};

const halfLine: Script = async ({ turn, program }) => {
  await turn.output.raw('{"ev":"block_open","block":"b');
  await program.exit(0);
  return undefined;
};

const stderr: Script = async ({ turn, argument }) => {
  process.stderr.write(`${argument}\n`);
  await turn.tell("I wrote to stderr.");
  return undefined;
};

const orphan: Script = async ({ turn }) => {
  // A session of its own, as the shells of real agents are: no signal to our group reaches it.
  const child = spawn("sleep", ["3600"], { detached: true, stdio: "ignore" });
  child.unref();
  await turn.tell(`pid ${child.pid}`);
  return undefined;
};

const retry: Script = async ({ turn, argument }) => {
  const milliseconds = numberOf(argument, 1_000);
  turn.say({ ev: "waiting", until: Date.now() + milliseconds });
  await turn.pause(milliseconds);
  await turn.tell("I tried again and it went well.");
  return undefined;
};

export const brokenPrompts: Record<string, Prompt> = {
  error: { usage: "error", does: "fails", run: error },
  unparsed: { usage: "unparsed", does: "says what nobody understands", run: unparsed },
  hang: { usage: "hang", does: "never answers and ignores an interrupt", run: hang },
  "hang-tool": { usage: "hang-tool", does: "calls a tool that never ends", run: hangTool },
  "ignore-sigterm": { usage: "ignore-sigterm", does: "never ends, whoever asks", run: ignoreSigterm },
  crash: { usage: "crash [code]", does: "exits with that code", run: crash },
  end: { usage: "end", does: "ends its life politely", run: end },
  "close-stdin": { usage: "close-stdin", does: "no longer listens", run: closeStdin },
  "long-line": { usage: "long-line <bytes>", does: "says one line that long", run: longLine },
  "invalid-utf8": { usage: "invalid-utf8", does: "says bytes that are not text", run: invalidUtf8 },
  "half-line": { usage: "half-line", does: "exits in the middle of a line", run: halfLine },
  stderr: { usage: "stderr <text>", does: "writes to stderr", run: stderr },
  orphan: { usage: "orphan", does: "leaves a process in a session of its own", run: orphan },
  retry: { usage: "retry <ms>", does: "announces a retry and is silent that long", run: retry },
};
