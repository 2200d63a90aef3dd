import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import type { PermissionMode } from "@muster/schema";
import { expect, test } from "vitest";
import { asLog } from "../../test/conversion/as-log.ts";
import { makeHost } from "../../test/host.ts";
import { type Listener, openMock } from "../../test/listener.ts";
import { readInputs, readRecorded, record, replay } from "../../test/recorded-life.ts";
import { mockConverter } from "./converter.ts";

const recordings = fileURLToPath(new URL("../../recordings/mock/", import.meta.url));

/** The lives in `recordings/mock/`. `RECORD=1` leads them again with the real process and writes them anew. */
const cases: Record<string, { permissionMode?: PermissionMode; drive: (life: Listener) => Promise<unknown> }> = {
  echo: { drive: (life) => life.turn("echo hello, world") },
  demo: {
    drive: async (life) => {
      await life.say("demo");
      for (const answers of [[["Blue"]], [["red"], ["Cheese", "Basil"]]]) {
        const { requestKey } = (await life.next("question.asked")).data;
        await life.send({ type: "question", requestKey, answers });
      }
      await rule(life, "allow");
      await life.next("turn.finished");
    },
  },
  "permission-rejected": {
    drive: async (life) => {
      await life.say("permission git push");
      await rule(life, "reject");
      await life.next("turn.finished");
    },
  },
  "permission-denied-by-the-agent": { permissionMode: "plan", drive: (life) => life.turn("permission") },
  "question-declined": {
    drive: async (life) => {
      await life.say("question");
      const { requestKey } = (await life.next("question.asked")).data;
      await life.send({ type: "question", requestKey, message: "not now" });
      await life.next("turn.finished");
    },
  },
  "plan-approved": {
    permissionMode: "plan",
    drive: async (life) => {
      await life.say("plan");
      const { requestKey } = (await life.next("question.asked")).data;
      await life.send({ type: "question", requestKey, answers: [["approve_edits"]], editedText: "1. only look" });
      await life.next("turn.finished");
    },
  },
  interrupted: {
    drive: async (life) => {
      await life.say("permission");
      await life.next("permission.asked");
      await life.send({ type: "interrupt" });
      await life.next("turn.finished");
    },
  },
  steered: {
    drive: async (life) => {
      await life.say("slow 300");
      await life.next("item.delta");
      await life.say("faster", "steer");
      await life.next("turn.finished");
    },
  },
  error: { drive: (life) => life.turn("error") },
  "late-item": {
    drive: async (life) => {
      await life.turn("late-item");
      await life.next("item.completed");
      await life.next("item.completed");
    },
  },
  "self-turn": {
    drive: async (life) => {
      await life.turn("self-turn");
      await life.next("turn.finished");
    },
  },
  updated: {
    drive: async (life) => {
      await life.send({ type: "update", model: "mock-large", permissionMode: "bypass" });
      await life.turn("permission");
    },
  },
  retry: { drive: (life) => life.turn("retry 50") },
  crash: {
    drive: async (life) => {
      await life.say("crash 9");
      await life.exit();
    },
  },
};

async function rule(life: Listener, decision: "allow" | "reject"): Promise<void> {
  const { requestKey } = (await life.next("permission.asked")).data;
  await life.send({ type: "permission", requestKey, decision });
}

if (process.env.RECORD === "1") {
  test.each(Object.entries(cases))("%s is recorded", async (name, { drive, permissionMode = "default" }) => {
    const life = await openMock(makeHost(), { directory: "/", permissionMode });
    await record(`${recordings}${name}`, life, () => drive(life));
  });
}

test("every recorded life is one that can be recorded again", () => {
  expect(readdirSync(recordings).sort()).toEqual(Object.keys(cases).sort());
});

test.each(readdirSync(recordings))("%s replays to the same signals", (name) => {
  const { inputs, events } = readRecorded(`${recordings}${name}`);
  expect(inputs.length).toBeGreaterThan(3);
  expect(replay(mockConverter, inputs)).toEqual(events);
});

test.each(readdirSync(recordings))("%s keeps every invariant of the protocol", (name) => {
  expect(checkInvariants(asLog(mockConverter, readInputs(`${recordings}${name}`), "/"))).toEqual([]);
});
