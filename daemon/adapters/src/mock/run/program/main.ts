/**
 * The mock agent: a real program that speaks over real pipes and needs no model. `main.js <settings as JSON>` holds one
 * conversation; `main.js --shared` serves many, each line with its `session`. It ends with its stdin.
 */
import { once } from "node:events";
import { closeSync } from "node:fs";
import { LineSplitter } from "@muster/node";
import type { MockHears, MockServerOrder, MockSettings } from "../../wire/native.ts";
import { Conversation } from "./conversation.ts";
import { Output } from "./output.ts";
import type { Program } from "./script.ts";

const [mode = "", behaviour] = process.argv.slice(2);
const output = new Output(process.stdout);
const conversations = new Map<string, Conversation>();
let stubborn = false;

const program: Omit<Program, "leave"> = {
  async exit(code) {
    await output.delivered();
    process.exit(code);
  },
  async closeStdin() {
    keepRunning();
    process.stdin.removeAllListeners("end");
    process.stdin.destroy();
    await once(process.stdin, "close");
    // The stream leaves descriptor 0 open, as libuv does with all three.
    closeSync(0);
  },
  becomeStubborn() {
    stubborn = true;
    keepRunning();
    process.on("SIGTERM", () => {});
  },
};

if (behaviour === "crash") {
  process.stderr.write("mock agent: told to crash at the start\n");
  process.exit(7);
}
if (process.env.MOCK_TOKEN === "invalid") {
  output.say({ ev: "refused", text: "The mock provider refused the token" });
  void program.exit(1);
} else if (behaviour !== "silent" && mode !== "--shared") begin(JSON.parse(mode) as MockSettings);
if (behaviour === "leave") void program.exit(0);

const splitter = new LineSplitter();
process.stdin.on("data", (chunk: Buffer) => {
  for (const line of splitter.push(chunk)) if (typeof line === "string") readLine(line);
});
process.stdin.on("error", () => {});
process.stdin.on("end", () => {
  if (!stubborn) void program.exit(0);
});

function readLine(text: string): void {
  const line = JSON.parse(text) as (MockHears & { session?: string }) | MockServerOrder;
  if (line.do === "open") begin(line.settings, line.session);
  else if (line.do === "close") {
    conversations.get(line.session)?.close();
    conversations.delete(line.session);
  } else conversations.get(line.session ?? "")?.hear(line);
}

function begin(settings: MockSettings, session?: string): void {
  const conversation = new Conversation({
    settings,
    output,
    frame: (line) => (session === undefined ? line : { session, ...line }),
    program: { ...program, leave: () => leave(session) },
  });
  conversations.set(session ?? "", conversation);
}

async function leave(session: string | undefined): Promise<void> {
  if (session === undefined) return program.exit(0);
  conversations.get(session)?.close();
  conversations.delete(session);
}

function keepRunning(): void {
  setInterval(() => {}, 3_600_000);
}
