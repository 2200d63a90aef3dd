import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "@muster/adapters";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { CreatedSession, SentMessage } from "@muster/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../../daemon-process.ts";

/**
 * Every recording of Claude Code played to a real daemon by a program in its place, while the requests in it are
 * answered as they were: the log keeps every promise, and nothing is left that was not understood.
 */
const recordings = fileURLToPath(new URL("../../../../adapters/recordings/claude/", import.meta.url));
const program = fileURLToPath(new URL("./recorded-claude.mjs", import.meta.url));
const cases = readdirSync(recordings);

let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `claude=path:${program}`] });
  daemon = await home.start();
});
afterAll(() => home.remove());

test.concurrent.each(cases)("%s keeps every promise when a daemon hears it", async (name) => {
  const sessionId = `recorded-${name}`;
  const path = `${recordings}${name}/native.jsonl`;
  const settings = { agent: "claude", baseUrl: "http://127.0.0.1:9", env: { RECORDING: path } };
  const created = await daemon.api.post<CreatedSession>(`/sessions/${sessionId}`, settings);
  const talk = new Conversation(daemon.api, sessionId);
  const entries = readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
  const isStarted = entries.some(({ line }) => line?.includes('"subtype":"init"'));
  expect(created.healthy).toBe(isStarted);
  if (isStarted) {
    const commands = entries.flatMap(({ command }) => (command ? [command] : []));
    const asked = commands.some(({ type }) => type === "message") ? commands : [oneShot, ...commands];
    await lead(talk, asked, name);
    await ended(talk);
  }
  const log = await daemon.api.log(sessionId);
  await talk.leave();
  expect(checkInvariants(log)).toEqual([]);
  expect(log.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
});

interface Entry {
  line?: string;
  command?: Command;
}

const oneShot: Command = { type: "message", messageId: "one-shot", text: "go", attachments: [] };

const isEnd = (item: { content: readonly { type: string; detail?: string | undefined }[] }) =>
  item.content.some(({ detail }) => detail === "end of the recording");

/** The recording is over when it says so, or when the process ended in the middle of a turn. */
async function ended(talk: Conversation): Promise<void> {
  await Promise.race([
    talk.until("item.completed", ({ item }) => isEnd(item)),
    talk.until("session.ended", ({ signal }) => signal === "SIGKILL"),
  ]);
}

/** What had been seen when it was interrupted. */
const moments: Readonly<Record<string, (talk: Conversation) => Promise<unknown>>> = {
  "interrupt-text": (talk) => talk.until("item.delta"),
  "interrupt-tool": (talk) => talk.until("item.started", ({ item }) => item.kind === "tool_call"),
  "interrupt-permission-pending": (talk) => talk.until("permission.requested"),
  "interrupt-idle": (talk) => talk.until("turn.ended"),
};

/** Does what the client did, when its time has come. */
async function lead(talk: Conversation, commands: readonly Command[], name: string): Promise<void> {
  let after = 0;
  let sent: SentMessage | undefined;
  /** Waits until every message that was sent has had its turn. */
  const rest = async () => {
    if (sent) await talk.turnOf(sent.messageId);
  };
  for (const [index, command] of commands.entries()) {
    switch (command.type) {
      case "message":
      case "steer":
        // Only here messages were sent into a running turn.
        if (name === "queue-midturn" && index > 0) {
          await talk.until("session.updated", ({ model }) => model !== undefined);
          await talk.send(command.text, { delivery: "steer" });
        } else {
          await rest();
          sent = await talk.send(command.text || "go");
        }
        break;
      case "interrupt":
        await moments[name]?.(talk);
        await daemon.api.post(`${talk.path}/interrupt`);
        break;
      case "permission": {
        const { data, sequence } = await talk.until("permission.requested", () => true, after);
        after = sequence;
        const { message } = command;
        const reply = command.decision === "allow" ? { reply: "once" } : { reply: "reject", message };
        // It may have been withdrawn by now.
        await daemon.api.request("POST", `${talk.path}/permissions/${data.permissionId}/reply`, reply);
        break;
      }
      case "question": {
        const { data, sequence } = await talk.until("question.requested", () => true, after);
        after = sequence;
        const { answers, message } = command;
        const isAnswered = answers?.some(({ length }) => length > 0);
        const [verb, body] = isAnswered ? ["reply", { answers }] : ["reject", { message }];
        await daemon.api.post(`${talk.path}/questions/${data.questionId}/${verb}`, body);
        break;
      }
      case "update": {
        await rest();
        const { type: _, ...change } = command;
        await daemon.api.ask("PATCH", talk.path, change);
        break;
      }
    }
  }
}
