import { readFileSync } from "node:fs";
import { type HostileAgent, hostileAgents, hostileProgram, isLong, tell } from "@muster/chaos";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { CreatedSession, UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { commandLineOf } from "../agents/agent-home.ts";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/** `npm test` tries every sixth kind; what starts slowly costs a minute each and is tried by `npm run chaos` alone. */
const tried = isLong ? hostileAgents : hostileAgents.filter(({ isSlow }, at) => at % 6 === 0 && !isSlow);
const atOnce = 4;
const limits = { turnIdleMs: 1_000, toolIdleMs: 1_000, turnMs: 20_000, requestMs: 1_000 };
const turnMs = 120_000;

it("whatever an agent does, its turns end, its neighbours go on and nothing of it is left", {
  timeout: 900_000,
}, async () => {
  const home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `claude=path:${hostileProgram}`] });
  try {
    const daemon = await home.start();
    const neighbour = await Conversation.open(daemon.api);
    const faults: string[] = [];
    const left = [...tried.entries()];
    const attack = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [number, agent] = next;
        const found = await endure(daemon, agent, `hostile-${number}`).catch((error: unknown) => [String(error)]);
        faults.push(...found.map((fault) => `${agent.kind}: ${fault}`));
        const { text } = await neighbour.say(`echo ${number}`);
        if (text !== String(number)) faults.push(`${agent.kind}: its neighbour says ${text}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, attack));
    await neighbour.finish();
    // A fault is told with the rest, not instead of it.
    await expect
      .poll(() => home.agents(), { timeout: 30_000 })
      .toEqual([])
      .catch(() => undefined);
    faults.push(...home.agents().map((pid) => `${kindOf(pid)}: process ${pid} is left: ${commandLineOf(pid)}`));
    const held = tried.length - new Set(faults.map((fault) => fault.split(":")[0])).size;
    const note = `${hostileAgents.length} kinds; the daemon's memory at most ${Math.round(daemon.peakMemory() / 1e6)} MB`;
    tell({ fault: "hostile agents", tried: tried.length, held, note });
    expect(faults).toEqual([]);
    expect(daemon.stderr).not.toMatch(/Unhandled|uncaught/i);
  } finally {
    await home.remove();
  }
});

/** One session with such an agent, two messages, and its end. Returns what was not as promised. */
async function endure({ api }: DaemonProcess, agent: HostileAgent, sessionId: string): Promise<string[]> {
  const faults: string[] = [];
  const body = { agent: "claude", token: "sk-ant-test-000", limits, env: { HOSTILE: JSON.stringify(agent) } };
  const created = await api.request<CreatedSession>("POST", `/sessions/${sessionId}`, body);
  if (created.status !== 201) return [`creating it is ${created.status}`];
  if (!created.body.healthy && created.body.error === undefined) faults.push("not healthy, and no reason");
  for (const messageId of ["one", "two"]) {
    const sent = await api.request("POST", `/sessions/${sessionId}/messages`, { message: "go", messageId });
    // An agent that does not start takes no message; that is told at once or by the message's end.
    if (sent.status !== 202) continue;
    const isOver = async () => isSettled(await api.log(sessionId), messageId);
    await expect.poll(isOver, { timeout: turnMs, interval: 200 }).toBe(true);
  }
  const log = await api.log(sessionId);
  faults.push(...checkInvariants(log, { finished: false }).map((violation) => JSON.stringify(violation)));
  const deleted = await api.request("DELETE", `/sessions/${sessionId}`);
  if (deleted.status !== 204) faults.push(`deleting it is ${deleted.status}`);
  return faults;
}

/** A process has what its agent was told in its environment. */
function kindOf(pid: number): string {
  const [, row = "{}"] = /\0HOSTILE=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "latin1")) ?? [];
  return (JSON.parse(row) as Partial<HostileAgent>).kind ?? "somebody";
}

/** Its turn has ended, or it was never given to one. */
function isSettled(log: readonly UniversalEvent[], messageId: string): boolean {
  let turnId: string | undefined;
  for (const event of log) {
    if (event.type === "turn.started" && event.data.messageIds.includes(messageId)) turnId = event.data.turnId;
    if (event.type === "turn.ended" && event.data.turnId === turnId) return true;
    const isMessage = event.type === "message.updated" && event.data.messageId === messageId;
    if (isMessage && ["failed", "cancelled"].includes(event.data.status)) return true;
  }
  return false;
}
