import { Conversation } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { eventLine, foldMessages, SessionFold } from "./readers-before/readers.ts";

async function* each(events: readonly UniversalEvent[]): AsyncGenerator<UniversalEvent> {
  yield* events;
}

it("readers written before there were rewinds, forks and hand-overs read such a log to its end", async () => {
  const home = await DaemonHome.make({ args: ["--no-token"] });
  try {
    const { api } = await home.start();
    const talk = await Conversation.open(api, {});
    for (const words of ["echo one", "echo two", "echo three"]) await talk.say(words);
    await api.post(`${talk.path}/rewind`, { to: 1, chat: true });
    await talk.say("echo four");
    await api.post(`${talk.path}/fork`, { sessionId: "way" });
    const fork = new Conversation(api, "way");
    await fork.say("echo five");
    const log = await api.log("way");
    expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(["session.rewound", "session.forked"]));
    const said = (await foldMessages(each(log))).flatMap((message) =>
      message.role === "user" ? message.parts.map((part: object) => ("text" in part ? part.text : "")) : [],
    );
    expect(said).toEqual(["echo one", "echo two", "echo three", "echo four", "echo five"]);
    const fold = new SessionFold();
    for (const event of log) fold.apply(event);
    expect(fold.turns.size).toBe(5);
    expect(fold.lastSequence).toBe(log.length);
    expect(log.map(eventLine).every((line) => line.endsWith("\n"))).toBe(true);
    await fork.leave();
    await talk.leave();
  } finally {
    await home.remove();
  }
});
