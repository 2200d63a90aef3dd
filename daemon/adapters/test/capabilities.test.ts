import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Capabilities, observedCapabilities } from "@muster/schema";
import { describe, expect, test } from "vitest";
import { adapters } from "../src/index.ts";
import type { Signal } from "../src/signals.ts";

type Observed = (typeof observedCapabilities)[number];

/** What an agent claims and its recordings do not have, with the test of the real agent in which it comes. */
const shownElsewhere: Readonly<Record<string, Partial<Record<Observed, { file: string; title: string }>>>> = {
  // Codex tells no costs: the gateway counts them.
  codex: {
    cost: {
      file: "daemon/server/test/agents/gateway/gateway-agents.agent.test.ts",
      title: "the cost of a turn is told",
    },
  },
  opencode: {
    cost: {
      file: "daemon/server/test/agents/opencode/opencode-turns.agent.test.ts",
      title: "speaks the protocol of its provider, with a variant of the model, and its price is counted",
    },
  },
};

describe.each(Object.values(adapters))("$id", ({ id, capabilities }) => {
  const seen = new Set(recordedSignals(id).flatMap(shows));

  test.each(observedCapabilities)("%s is as claimed: it comes in a recorded life, or in none", (name) => {
    const elsewhere = shownElsewhere[id]?.[name];
    if (elsewhere === undefined) return expect(seen.has(name)).toBe(capabilities[name]);
    expect(capabilities[name]).toBe(true);
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    expect(readFileSync(join(root, elsewhere.file), "utf8")).toContain(elsewhere.title);
  });

  test("its capabilities are complete", () => {
    expect(Capabilities.strict().parse(capabilities)).toEqual(capabilities);
  });
});

const ofDeltas = {
  text: "deltas",
  reasoning: "deltas",
  input: "toolInputDeltas",
  output: "toolOutputDeltas",
} as const;

/** What one signal shows of the agent that caused it. */
function shows(signal: Signal): Observed[] {
  switch (signal.type) {
    case "item.delta":
      return [ofDeltas[signal.data.part]];
    case "item.started":
    case "item.completed": {
      const { kind, parentId, content } = signal.data.item;
      const hasDiff = content.some((part) => part.type === "file" && part.diff !== undefined);
      return [
        ...(kind === "reasoning" ? ["reasoning" as const] : []),
        ...(parentId === undefined ? [] : ["subagents" as const]),
        ...(hasDiff ? ["diffs" as const] : []),
      ];
    }
    case "plan.updated":
      return ["todos"];
    case "usage.updated":
      return ["usage"];
    case "turn.finished":
      return [
        ...(signal.data.costUsd === undefined ? [] : ["cost" as const]),
        ...(signal.data.usage === undefined ? [] : ["usage" as const]),
      ];
    case "question.asked":
      return [signal.data.kind === "plan_approval" ? "planApproval" : "questions"];
    case "permission.asked":
    case "permission.decided":
      return ["permissions"];
    default:
      return [];
  }
}

function recordedSignals(agent: string): Signal[] {
  const folder = fileURLToPath(new URL(`../recordings/${agent}/`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("events.json"),
  );
  expect(files.length).toBeGreaterThan(0);
  return files.flatMap((path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as Signal[]);
}
