import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { AgentInfo, PermissionMode } from "@muster/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { parts } from "./agent-home.ts";

/** The column of the mock in docs/agents/matrix.md: what can be asked for reaches it. What cannot: unsupported-options.test.ts. */
let home: DaemonHome;
let daemon: DaemonProcess;
let directory: string;
beforeAll(async () => {
  home = await DaemonHome.make({ args: ["--no-token"] });
  daemon = await home.start();
  directory = await mkdtemp(join(tmpdir(), "muster-mock-"));
});
afterAll(async () => {
  await home.remove();
  await rm(directory, { recursive: true, force: true });
});

it("model, mode, variant and system prompt are those that were asked for", async () => {
  const { capabilities } = await daemon.api.get<AgentInfo>("/agents/mock");
  const wish = { model: "mock-large", agentMode: "plan", variant: "high", systemPrompt: "be kind", directory };
  const talk = await Conversation.open(daemon.api, wish);
  expect((await talk.say("settings")).text).toBe(
    `model mock-large, mode plan, variant high, permissions default, directory ${directory}, system prompt be kind`,
  );
  expect(capabilities).toMatchObject({ models: true, modes: true, variants: true, systemPrompt: true });
  await talk.finish();
});

it("model and permission mode change while it runs", async () => {
  const { capabilities } = await daemon.api.get<AgentInfo>("/agents/mock");
  expect(capabilities?.live).toEqual(["model", "permissionMode"]);
  const talk = await Conversation.open(daemon.api, { directory, model: "mock-large" });
  await talk.say("settings");
  for (const change of [{ model: "mock-small" }, { permissionMode: "bypass" }]) {
    const lives = livesOf(talk);
    await daemon.api.ask("PATCH", talk.path, change);
    await talk.say("settings");
    expect([change, livesOf(talk)]).toEqual([change, lives]);
  }
  expect((await talk.say("settings")).text).toMatch(/^model mock-small, .*permissions bypass/);
  await talk.finish();
});

it("files and pictures can be attached", async () => {
  const talk = await Conversation.open(daemon.api, { directory });
  const note = { data: Buffer.from("a note").toString("base64"), mime: "text/plain", filename: "note.txt" };
  const pixel = { data: Buffer.from("a pixel").toString("base64"), mime: "image/png", filename: "pixel.png" };
  const turn = await talk.say("echo hello", { attachments: [note, pixel] });
  expect(turn.end.status).toBe("completed");
  const received = parts(turn.of("item.completed"), "status").filter(({ label }) => label === "file received");
  expect(received.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("(text/plain)"),
    expect.stringContaining("(image/png)"),
  ]);
  await talk.finish();
});

const asked: [mode: PermissionMode, edit: boolean, execute: boolean][] = [
  ["default", true, true],
  ["acceptEdits", false, true],
  ["bypass", false, false],
];

it.each(asked)(
  "permission mode %s asks about an edit: %s, about a command: %s",
  async (permissionMode, edit, execute) => {
    const talk = await Conversation.open(daemon.api, { directory, permissionMode });
    for (const [prompt, isAsked] of [
      ["permission edit a.txt", edit],
      ["permission rm a.txt", execute],
    ] as const) {
      const after = talk.events.at(-1)?.sequence;
      const { messageId } = await talk.send(prompt);
      if (isAsked) {
        const { data } = await talk.until("permission.requested", () => true, after);
        await daemon.api.post(`${talk.path}/permissions/${data.permissionId}/reply`, { reply: "once" });
      }
      const turn = await talk.turnOf(messageId);
      expect(turn.end.status).toBe("completed");
      expect(turn.of("permission.resolved").filter(({ by }) => by === "user")).toHaveLength(isAsked ? 1 : 0);
    }
    await talk.finish();
  },
);

it("permission mode plan asks for approval of a plan", async () => {
  const talk = await Conversation.open(daemon.api, { directory, permissionMode: "plan" });
  const { messageId } = await talk.send("plan");
  const { data } = await talk.until("question.requested");
  expect(data.kind).toBe("plan_approval");
  await daemon.api.post(`${talk.path}/questions/${data.questionId}/reject`, {});
  await talk.turnOf(messageId);
  await talk.finish();
});

/** How often an agent was ready for this session. */
function livesOf({ events }: Conversation): number {
  return events.filter(
    ({ type, data }) => type === "session.started" || ("agentState" in data && data.agentState === "ready"),
  ).length;
}
