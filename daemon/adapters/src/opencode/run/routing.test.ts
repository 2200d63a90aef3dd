import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Line } from "@muster/node";
import { expect, test } from "vitest";
import { makeDirectory } from "../../../test/host.ts";
import { Demultiplexer } from "../../shared-server/demultiplexer.ts";
import { ServerLog } from "../../shared-server/server-log.ts";
import { protocol } from "./routing.ts";

/** Recorded on `/global/event` with three sessions in two directories at once. */
const recording = fileURLToPath(new URL("../../../test/opencode-two-directories.jsonl", import.meta.url));
const lines = readFileSync(recording, "utf8").split("\n").filter(Boolean);

function receive(sessions: readonly string[], said: readonly string[]) {
  const directory = makeDirectory();
  const log = new ServerLog(`${directory}/server.log`, {
    redact: (text) => text,
    onFailure: (error) => {
      throw error;
    },
  });
  const demultiplexer = new Demultiplexer({ protocol, log, spillDirectory: directory, name: "x" });
  const got = new Map(sessions.map((session) => [session, [] as Line[]]));
  for (const session of sessions) {
    const inbox = demultiplexer.attach(session);
    inbox.open({ lines: (more) => got.get(session)?.push(...more), exit: () => {} });
  }
  demultiplexer.lines(said);
  const logged = readdirSync(directory).includes("server.log") ? readFileSync(`${directory}/server.log`, "utf8") : "";
  return { got, logged: logged.split("\n").filter(Boolean) };
}

test("every line of a server is of one session, known noise, or in its log", () => {
  const sessions = [...new Set(lines.flatMap((line) => /"sessionID":"(ses_\w+)"/.exec(line)?.[1] ?? []))];
  const { got, logged } = receive(sessions, lines);
  expect(sessions).toHaveLength(3);
  for (const [session, own] of got) {
    expect(own.length).toBeGreaterThan(20);
    expect(own.every((line) => typeof line === "string" && line.includes(session))).toBe(true);
  }
  expect(logged).toEqual([]);
});

test("the copies of events that are called sync reach nobody", () => {
  expect(lines.some((line) => line.includes('"type":"sync"'))).toBe(true);
  const { got } = receive(["ses_x"], ['{"payload":{"type":"sync","properties":{"sessionID":"ses_x"}}}']);
  expect(got.get("ses_x")).toEqual([]);
});

test("what a sub-agent and its sub-agents say comes to the session they work for", () => {
  const created = (id: string, parentID: string) =>
    JSON.stringify({ type: "session.created", properties: { sessionID: id, info: { id, parentID } } });
  const idle = (sessionID: string) => JSON.stringify({ type: "session.idle", properties: { sessionID } });
  const said = [created("ses_b", "ses_a"), created("ses_c", "ses_b"), idle("ses_c"), idle("ses_b"), idle("ses_a")];
  expect(receive(["ses_a", "ses_other"], said).got).toEqual(
    new Map([
      ["ses_a", said],
      ["ses_other", []],
    ]),
  );
});

test("a line of nobody that is not known noise is logged", () => {
  const { logged } = receive([], ['{"payload":{"type":"weather.changed","properties":{"file":"/x"}}}']);
  expect(logged.map((line) => JSON.parse(line).raw.payload.type)).toEqual(["weather.changed"]);
});
