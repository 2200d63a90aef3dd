import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeDirectory, makeHost, openOptions } from "../../../test/host.ts";
import { Listener, texts } from "../../../test/listener.ts";
import { secondLives } from "../../../test/opencode-2-lives.ts";
import { opencode } from "../index.ts";

const place = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

test("a program on PATH that says 2 is driven by the calls of version 2: its password, places and settings", async () => {
  const { life, asked, directory } = await openSecond("shell");
  expect(life.session).toMatchObject({ agentVersion: "2.0.18", model: "scripted/m1" });
  await secondLives.shell?.drive(life);
  expect(texts(life.signals)).toEqual(["Let me run it.", "It ended with 3."]);
  const calls = asked();
  expect(calls.filter(({ call }) => call.startsWith("POST"))).toEqual([
    { call: "POST /api/session", at: null, body: { title: "Muster s1", location: { directory } } },
    expect.objectContaining({
      call: expect.stringMatching(/model$/),
      body: { model: { providerID: "scripted", id: "m1" } },
    }),
    expect.objectContaining({ call: expect.stringMatching(/prompt$/), body: { text: "run it", delivery: "steer" } }),
    expect.objectContaining({ call: expect.stringMatching(/permission\/per_\w+\/reply$/), body: { reply: "once" } }),
  ]);
  expect(calls.find(({ call }) => call === "GET /api/agent")?.at).toBe(directory);
});

test("a refusal has words, without which OpenCode 2 would end the turn", async () => {
  const { life, asked } = await openSecond("shell-rejected");
  await secondLives["shell-rejected"]?.drive(life);
  expect(asked().at(-1)?.body).toEqual({ reply: "reject", message: expect.stringContaining("did not allow") });
});

test("answers go to the fields of its form; a question that is declined is answered with that", async () => {
  const answered = await openSecond("question");
  await secondLives.question?.drive(answered.life);
  expect(answered.asked().at(-1)?.body).toEqual({ answer: { q0: "B", q1: ["X"] } });
  const declined = await openSecond("question-declined");
  await secondLives["question-declined"]?.drive(declined.life);
  const words = expect.stringContaining("did not answer");
  expect(declined.asked().at(-1)?.body).toEqual({ answer: { q0: words, q1: [words] } });
});

/** A session on the stand-in of OpenCode 2, which has a recorded life to say. */
async function openSecond(recording: string) {
  const bin = makeDirectory();
  const program = join(bin, "opencode.mjs");
  copyFileSync(place("test/opencode-2-server.mjs"), program);
  chmodSync(program, 0o755);
  symlinkSync(program, join(bin, "opencode"));
  const log = join(bin, "asked.jsonl");
  writeFileSync(log, "");
  const life = { recording: place(`recordings/opencode-2/${recording}/native.jsonl`), asked: log };
  writeFileSync(join(bin, "life.json"), JSON.stringify(life));
  const host = makeHost({ env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) } });
  const directory = join(host.home, "work");
  mkdirSync(directory);
  const endpoint = { baseUrl: "http://127.0.0.1:9", model: "scripted/m1", token: "sk-test-000" };
  const session = await opencode.open(host, openOptions(host, { directory, ...endpoint }));
  onTestFinished(() => session.close({ graceMs: 0 }));
  const asked = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { call: string; at: string | null; body: unknown });
  return { life: new Listener(session), asked, directory };
}
