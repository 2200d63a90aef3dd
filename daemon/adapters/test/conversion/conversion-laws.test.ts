import { isLong } from "@muster/chaos";
import { checkInvariants } from "@muster/conformance";
import type { EventBody, UniversalEvent } from "@muster/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Command } from "../../src/commands.ts";
import { remains, requests } from "../../src/converter/left-out.ts";
import { converters } from "../../src/converters.ts";
import { command } from "./arbitrary-commands.ts";
import { session } from "./arbitrary-session.ts";
import { backgroundCalls, remainsOf, type Told, toldIn } from "./told.ts";

const agents = Object.entries(converters);
/** 1,000 rounds of sessions in all. */
const rounds = { sessions: isLong ? 5_000 : 170, commands: isLong ? 5_000 : 1_000 };

describe.each(agents)("%s", (_agent, { events, input, leftOut }) => {
  test.each([false, true])(
    "any session in its lines is read as what the table leaves of it; requests: %s",
    (wished) => {
      const rows = wished ? leftOut.events.filter((row) => row !== requests) : leftOut.events;
      fc.assert(
        fc.property(session, (said) => {
          const [reader, writer] = [events.reader(), events.writer({ requests: wished })];
          const lines = said.flatMap((body) => writer.write(body)).map((line) => JSON.stringify(line));
          const back = [...lines.flatMap((line) => reader.line(line)), ...reader.end()];
          expect(back.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
          const isAside = backgroundCalls([...said, ...back]);
          const { pieces, ...told } = toldIn(remainsOf(rows, back), isAside);
          const { pieces: wanted, ...original } = toldIn(remainsOf(rows, said), isAside);
          expect(told).toEqual(original);
          // What came in pieces comes in pieces; an agent may tell the rest so too.
          expect(bothIn(pieces, wanted)).toEqual(wanted);
          // Titles are made of the fields of an agent's own tools; those of others have none.
          expect(checkInvariants(logOf(back)).filter(({ invariant }) => invariant !== "titles")).toEqual([]);
        }),
        { numRuns: rounds.sessions / 2 },
      );
    },
  );

  test("any command in its lines is read as what the table leaves of it", () => {
    fc.assert(
      fc.property(command, (original) => {
        const read = input.write(original).map((line) => input.read(JSON.stringify(line)));
        expect(toJson(read)).toEqual(toJson(remains<Command>(leftOut.input, original)));
      }),
      { numRuns: rounds.commands },
    );
  });

  test("every row has its reason and is met", () => {
    const sessions = fc.sample(session, { numRuns: 400, seed: 1 });
    const commands = fc.sample(command, { numRuns: 3_000, seed: 1 });
    const met = new Set<string>();
    for (const said of sessions) {
      const writer = events.writer();
      for (const body of said) writer.write(body);
      for (const what of writer.leftOut.keys()) met.add(what);
    }
    for (const { what, rest } of leftOut.input) if (commands.some((one) => rest(one, true) !== one)) met.add(what);
    const rows = [...leftOut.events, ...leftOut.input];
    expect(rows.filter(({ why }) => why === "")).toEqual([]);
    expect(rows.map(({ what }) => what).filter((what) => !met.has(what))).toEqual([]);
  });

  test("what is no command to it is kept as it came", () => {
    expect(input.read("no JSON")).toMatchObject({ type: "unparsed", raw: "no JSON" });
    expect(input.read('{"what":1}')).toEqual({ type: "unparsed", raw: { what: 1 }, error: "The line is no command" });
  });
});

test("the sessions that are tried keep every invariant of the protocol", () => {
  fc.assert(
    fc.property(session, (said) => {
      expect(checkInvariants(logOf(said))).toEqual([]);
    }),
  );
});

/** As a log, with a beginning and an end where the lines tell none. */
function logOf(bodies: readonly EventBody[]): UniversalEvent[] {
  let turnId: string | undefined;
  const started: EventBody = {
    type: "session.started",
    data: { agent: "x", permissionMode: "default", directory: "/", resumed: false },
  };
  const ended: EventBody = { type: "session.ended", data: { reason: "completed", terminatedBy: "agent" } };
  const isWhole = bodies.some(({ type }) => type === "session.started");
  return (isWhole ? bodies : [started, ...bodies, ended]).map((body, index) => {
    if (body.type === "turn.started") turnId = body.data.turnId;
    const time = "2026-01-01T00:00:00.000Z";
    const event = { sequence: index + 1, time, sessionId: "s", source: "agent", turnId, ...body } as UniversalEvent;
    if (body.type === "turn.ended") turnId = undefined;
    return event;
  });
}

function bothIn(pieces: Told["pieces"], wanted: Told["pieces"]): Told["pieces"] {
  return wanted.map((turn, at) =>
    Object.fromEntries(
      Object.entries(turn).map(([call, flags]) => [
        call,
        flags.map((flag, index) => flag && pieces[at]?.[call]?.[index] === true),
      ]),
    ),
  );
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
