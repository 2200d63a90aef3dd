import { Conversation } from "@muster/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Family, readExposition } from "../../../../base/telemetry/test/exposition.ts";
import { figures } from "../../src/telemetry/figures.ts";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
let read: Map<string, Family>;
beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
  const talk = await Conversation.open(daemon.api);
  await talk.say("usage");
  await talk.say("echo hello");
  await talk.say("error");
  await talk.leave();
  await daemon.api.post("/agents/mock/install", {});
  await fetch(`${daemon.api.baseUrl}/nowhere-at-all`);
  read = readExposition(await daemon.api.get<string>("/metrics"));
});
afterAll(() => home.remove());

const samples = (name: string) => read.get(name)?.samples ?? [];
const value = (name: string, labels: Record<string, string> = {}) =>
  samples(name).find((one) => Object.entries(labels).every(([label, told]) => one.labels[label] === told))?.value;

describe("/metrics", () => {
  it("measures turns by agent and how they ended, and how long an agent was silent first", () => {
    expect(value("muster_turns_ended_total", { agent: "mock", status: "completed" })).toBe(2);
    expect(value("muster_turns_ended_total", { agent: "mock", status: "failed" })).toBe(1);
    const count = (name: string, labels: Record<string, string>) =>
      samples(name).find(
        (one) =>
          one.name.endsWith("_count") && Object.entries(labels).every(([label, told]) => one.labels[label] === told),
      )?.value;
    expect(count("muster_turn_duration_seconds", { agent: "mock", status: "completed" })).toBe(2);
    expect(count("muster_first_token_seconds", { agent: "mock" })).toBeGreaterThanOrEqual(2);
    expect(count("muster_install_duration_seconds", { agent: "mock", outcome: "found" })).toBe(1);
    expect(count("muster_http_request_duration_seconds", { operation: "sessions.sendMessage", code: "202" })).toBe(3);
    expect(count("muster_http_request_duration_seconds", { operation: "none", code: "404" })).toBe(1);
  });

  it("counts the tokens and the cost that the agent told", async () => {
    const { sessions } = await daemon.api.get<{ sessions: { usage: Record<string, number>; costUsd: number }[] }>(
      "/sessions",
    );
    const [{ usage, costUsd } = { usage: {}, costUsd: 0 }] = sessions;
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(value("muster_tokens_total", { type: "input" })).toBe(usage.inputTokens);
    expect(value("muster_tokens_total", { type: "output" })).toBe(usage.outputTokens);
    expect(costUsd).toBeGreaterThan(0);
    expect(value("muster_cost_usd_total", { agent: "mock" })).toBeCloseTo(costUsd);
  });

  it("tells its version, its process and its sessions", () => {
    expect(samples("muster_build_info")).toMatchObject([{ labels: { version: expect.any(String) }, value: 1 }]);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(value("process_open_fds")).toBeGreaterThan(5);
    expect(samples("muster_sessions").map(({ labels }) => labels.agent)).toEqual(["mock"]);
  });

  it("has no family that is not in the table of figures, and no label but its own", () => {
    const rows = new Map(Object.values(figures).map((row) => [row.name as string, row]));
    for (const { name, samples } of read.values()) {
      if (name.startsWith("process_")) continue;
      const row = rows.get(name);
      const allowed = [...Object.keys(row !== undefined && "labels" in row ? row.labels : {}), "le"];
      expect(row, name).toBeDefined();
      for (const { labels } of samples) for (const label of Object.keys(labels)) expect(allowed).toContain(label);
    }
  });
});
