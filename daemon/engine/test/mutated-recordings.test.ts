import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextRead } from "node:timers/promises";
import { checkInvariants, type Violation } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RecordedInput, readInputs } from "../../adapters/test/recorded-life.ts";
import { Engine } from "../src/engine.ts";
import { Redactor } from "../src/secrets/redaction.ts";
import type { Session } from "../src/session/session.ts";
import { lineMutator, randomFrom } from "./mutations.ts";
import { type Recording, recordedAdapter, recordedAgents, recordingsOf } from "./recorded-adapter.ts";

/** The same at every run; `MUTATION_SEEDS=8` tries more, and a failure names its own. */
const seeds = Array.from({ length: Number(process.env.MUTATION_SEEDS ?? 1) }, (_, at) => at + 1);
/** How many of a recording's lines are changed. */
const share = 0.25;

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-mutated-"));
  engine = await Engine.start({
    dataDirectory: folder,
    durability: "none",
    keepRaw: false,
    defaultDirectory: folder,
    env: {},
    home: join(folder, "home"),
    redactor: new Redactor([]),
    log: (level, text, fields) => {
      if (level === "error") broken.push(`${text} ${JSON.stringify(fields)}`);
    },
  });
  engine.begin();
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});
const broken: string[] = [];
beforeEach(() => void broken.splice(0));
/** Sessions so far: a test that is tried again has new ones. */
let count = 0;

describe.each(recordedAgents)("%s", (agent) => {
  const recordings = recordingsOf(agent);
  test("its recordings are told by a real engine as they are", async () => {
    for (const recording of recordings) {
      const log = await lead(recording, "plain", (line) => [line]);
      expect([recording.name, checkInvariants(log)]).toEqual([recording.name, []]);
    }
  });

  test.each(seeds)(
    "whatever becomes of its lines, the log stays inside the schema and its turns end (seed %i)",
    async (seed) => {
      let unparsed = 0;
      for (const recording of recordings) {
        const random = randomFrom(seed * 7_919 + hashOf(recording.name));
        const log = await lead(recording, `seed${seed}`, lineMutator(random, share));
        expect([recording.name, checkInvariants(log).filter(isOurs)]).toEqual([recording.name, []]);
        unparsed += log.filter(({ type }) => type === "agent.unparsed").length;
      }
      expect(unparsed).toBeGreaterThan(0);
      expect(broken).toEqual([]);
    },
  );
});

/** What an agent says of its own texts, files and results is its own; a line that was changed may contradict another. */
function isOurs({ invariant, reason }: Violation): boolean {
  if (invariant === "items") return !/deltas|gets both/.test(reason);
  return !["files", "titles", "results"].includes(invariant);
}

/** One session: the recording's lines, and its commands as a person would have given them. Returns its log. */
async function lead(
  { agent, name, folder: recorded }: Recording,
  kind: string,
  mutate: (line: string) => string[],
): Promise<UniversalEvent[]> {
  const inputs = readInputs(recorded);
  const { adapter, line: speaker } = recordedAdapter(agent, inputs);
  Object.assign(engine.agents, { adapter: () => adapter });
  const sessionId = `${++count}-${agent}-${name}-${kind}`.replaceAll(/[^\w.-]/g, "-").slice(0, 120);
  await engine.sessions.create(sessionId, { agent });
  const session = await engine.sessions.get(sessionId);
  for (const input of inputs) {
    if ("line" in input) speaker.say(mutate(input.line));
    else if ("exit" in input) speaker.end();
    else {
      // What cannot be done any more is refused to the person, and that is all.
      const given = give(session, input).catch(() => undefined);
      // An interrupt is over when the lines after it have told so.
      if (input.command.type !== "interrupt") await given;
    }
    await nextRead();
  }
  speaker.end();
  await session.terminate();
  // A life that had ended by itself is told without anybody waiting for it.
  await session.log.append([]).written;
  const { lines } = await session.log.read(0, 100_000);
  const log = lines.map((line) => JSON.parse(line.toString()) as UniversalEvent);
  await engine.sessions.delete(sessionId);
  return log;
}

async function give(session: Session, { command }: Extract<RecordedInput, { command: unknown }>): Promise<unknown> {
  const { permissions, questions } = session.requests.pending();
  switch (command.type) {
    case "message":
      return session.send({ message: command.text || "go", messageId: command.messageId });
    case "steer":
      return session.send({ message: command.text, messageId: command.messageId, delivery: "steer" });
    case "permission":
      return session.requests.replyPermission(permissions[0]?.permissionId ?? "", {
        reply: command.decision === "allow" ? "once" : "reject",
      });
    case "question":
      return session.requests.rejectQuestion(questions[0]?.questionId ?? "", {});
    case "interrupt":
      return session.interrupt({});
    case "update":
      return undefined;
  }
}

function hashOf(text: string): number {
  return [...text].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, 7);
}
