import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@muster/client";
import type { DoctorReport } from "@muster/server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { run } from "./run.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let running: Awaited<ReturnType<typeof startDaemonProcess>> | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  if (running?.child.exitCode === null) await running.stop();
  running = undefined;
  await folder.remove();
});

const start = async () => {
  running = await startDaemonProcess(["--port", "0", "--no-token"], { SANDBOX_DAEMON_DATA_DIR: folder.path });
  return { daemon: running, client: createClient({ endpoint: running.url }) };
};
const doctor = (...args: string[]) => run(["doctor", "--data-dir", folder.path, ...args]);
const reportOf = (out: string) => JSON.parse(out) as DoctorReport;
const pathOf = (sessionId: string, name: string) => join(folder.path, "sessions", sessionId, name);
const segment = "events-000000000001.jsonl";

/** Sessions that were real and have had a turn, left behind by a daemon that was stopped. */
async function sessionsOfThePast(...ids: string[]): Promise<void> {
  const { daemon, client } = await start();
  for (const sessionId of ids) {
    await client.sessions.create({ sessionId, agent: "mock" });
    const stream = client.sessions.streamMessage({ sessionId, message: "echo one two three" });
    for await (const _ of stream) void _;
  }
  await daemon.stop();
}

it("finds nothing where nothing is wrong, and says where there is no data directory", async () => {
  await sessionsOfThePast("one", "two");
  const { code, out } = await doctor();
  const [sessions, ...keys] = out.trimEnd().split("\n").reverse();
  expect([code, sessions]).toEqual([0, `${folder.path}: 2 sessions, 2 ok, 0 not`]);
  expect(keys.every((line) => line.startsWith("keys: "))).toBe(true);
  expect(keys.join("\n")).toContain("--agent-user");
  const nowhere = await run(["doctor", "--data-dir", "/nonexistent/data"]);
  expect(nowhere).toMatchObject({ code: 1, out: "" });
  expect(nowhere.err).toContain("/nonexistent/data is no data directory");
});

it("leaves a directory alone that a daemon uses", async () => {
  const { daemon } = await start();
  expect(await doctor("--repair")).toEqual({
    code: 1,
    out: "",
    err: `error: The data directory is in use by process ${daemon.child.pid}\n`,
  });
});

it("names what is damaged and where; --repair keeps what it cuts, and a daemon goes on with all of it", async () => {
  await sessionsOfThePast("fine", "flipped", "torn", "nameless", "short", "foreign");
  const flipped = await readFile(pathOf("flipped", segment));
  flipped.write("X", flipped.indexOf('"turn.started"') + 3);
  await writeFile(pathOf("flipped", segment), flipped);
  await appendFile(pathOf("torn", segment), '{"sequence":99,"ti');
  await writeFile(pathOf("nameless", "session.json"), '{"format":1,"sess');
  const whole = await readFile(pathOf("short", segment), "utf8");
  await truncate(pathOf("short", segment), whole.indexOf("\n#", whole.length / 2) + 27);
  await writeFile(pathOf("foreign", segment), whole);
  await appendFile(join(folder.path, "sessions.jsonl"), "nonsense\n");
  await writeFile(join(folder.path, "active", "nobody.json"), "{}");

  const text = await doctor();
  expect(text.code).toBe(1);
  expect(text.out).toContain("6 sessions, 2 ok, 4 not; --repair mends what can be mended");
  const found = reportOf((await doctor("--json")).out);
  const states = Object.fromEntries(found.sessions.map(({ sessionId, state }) => [sessionId, state]));
  expect(states).toEqual({
    fine: "ok",
    flipped: "damaged",
    torn: "ok",
    nameless: "unreadable",
    short: "damaged",
    foreign: "unreadable",
  });
  expect(kindsOf(found)).toEqual({
    flipped: ["damaged"],
    torn: ["torn"],
    nameless: ["session_file"],
    short: ["behind"],
    foreign: ["foreign"],
  });
  expect(found.findings.map(({ kind }) => kind)).toEqual(["index", "active"]);
  const [damaged] = found.sessions.find(({ sessionId }) => sessionId === "flipped")?.findings ?? [];
  expect(damaged).toMatchObject({ path: pathOf("flipped", segment), keptAs: pathOf("flipped", segment) });
  expect(text.out).toContain(`in ${pathOf("flipped", segment)}`);
  expect(await readFile(pathOf("torn", segment), "utf8")).toContain('{"sequence":99,"ti');

  const repaired = await doctor("--repair", "--json");
  // Whose log the foreign one is cannot be known.
  expect(repaired.code).toBe(1);
  const left = reportOf(repaired.out).sessions.flatMap(({ findings }) => findings.filter((one) => !one.repaired));
  expect(left.map(({ kind }) => kind)).toEqual(["foreign"]);
  const cut = reportOf(repaired.out).sessions.flatMap(({ findings }) => findings.filter(({ kind }) => kind === "torn"));
  expect(await readFile(cut[0]?.keptAs ?? "", "utf8")).toBe('{"sequence":99,"ti');
  expect(await readFile(pathOf("nameless", "session.json.broken"), "utf8")).toBe('{"format":1,"sess');
  expect(await readFile(join(folder.path, "sessions.jsonl.broken"), "utf8")).toContain("nonsense");
  expect(await readdir(join(folder.path, "active"))).toEqual([]);

  const again = kindsOf(reportOf((await doctor("--json")).out));
  // What is lost stays lost and named; everything else is in order.
  expect(again).toEqual({ flipped: ["damaged"], short: ["missing"], foreign: ["foreign"] });

  const { client } = await start();
  for (const sessionId of ["fine", "flipped", "torn", "nameless", "short"]) {
    const stream = client.sessions.streamMessage({ sessionId, message: "echo once more" });
    for await (const _ of stream) void _;
    const { events } = await client.sessions.getEvents({ sessionId, limit: 1000 });
    expect([sessionId, events.at(-1)?.type]).toEqual([sessionId, "turn.ended"]);
    const lost = events.filter(({ type }) => type === "log.damaged");
    expect([sessionId, lost.length]).toEqual([sessionId, sessionId === "flipped" || sessionId === "short" ? 1 : 0]);
  }
});

function kindsOf({ sessions }: DoctorReport): Record<string, string[]> {
  const withFindings = sessions.filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    withFindings.map(({ sessionId, findings }) => [sessionId, findings.map(({ kind }) => kind)]),
  );
}
