/**
 * Whether an event costs more when much is open: turns in which 2,500 to 20,000 tool calls are open at once. In the engine
 * alone, each with a permission that waits and ends with its call, and through the daemon with an agent that talks like
 * Claude Code; beside each, how long somebody else waits at most. The cost is CPU: a short turn finds a quiet moment, a long one
 * does not.
 */
import { tmpdir } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as breathe } from "node:timers/promises";
import { adapters } from "../daemon/adapters/dist/index.js";
import { Engine, Redactor } from "../daemon/engine/dist/index.js";
import { startDaemon, turnEnded } from "./daemon.mjs";
import { keepAlive, watchStream } from "./keep-alive.mjs";
import { cpuSeconds, programs, removeFolder, scratchFolder } from "./processes.mjs";

const counts = [2_500, 5_000, 10_000, 20_000];
/** What 20,000 may cost for each, beside 2,500. */
const mostRatio = 1.5;
/** Signals in one read of an agent. */
const readSize = 200;

export async function run({ report, say, rounds, scale }) {
  for (const [title, measure] of [
    ["engine alone", inEngine],
    ["daemon", throughDaemon],
  ]) {
    const best = new Map();
    for (let round = 1; round <= rounds(3); round++) {
      for (const count of counts.map(scale)) {
        const found = await measure(count);
        say(
          `${title}, ${count.toLocaleString("en")} open: ${found.ms.toFixed(0)} ms of CPU, others wait ${found.waitMs.toFixed(0)} ms`,
        );
        const known = best.get(count) ?? found;
        best.set(count, { ms: Math.min(known.ms, found.ms), waitMs: Math.min(known.waitMs, found.waitMs) });
      }
    }
    tell(report, title, best);
  }
}

function tell(report, title, best) {
  const [first] = best;
  for (const [count, { ms, waitMs }] of best) {
    const [value, baseline] = [(1_000 * ms) / count, (1_000 * first[1].ms) / first[0]];
    const isLast = count === [...best.keys()].at(-1);
    report({
      name: `${title}: ${count.toLocaleString("en")} open tool calls, each`,
      value,
      unit: "µs of CPU",
      baseline,
      baselineIs: `the same with ${first[0].toLocaleString("en")}`,
      note: `others wait ${waitMs.toFixed(0)} ms at most`,
      ...(isLast && { budget: `≤ ${mostRatio} ×`, ok: value / baseline <= mostRatio }),
    });
  }
}

/** The whole engine with its log; only the agent is a list of signals. */
async function inEngine(count) {
  const root = await scratchFolder();
  const engine = await Engine.start({
    dataDirectory: root,
    durability: "batch",
    keepRaw: false,
    defaultDirectory: tmpdir(),
    env: {},
    home: root,
    redactor: new Redactor([]),
    log: () => {},
  });
  Object.assign(engine.agents, { adapter: () => ({ ...adapters.mock, check: async () => {}, open }) });
  await engine.sessions.create("s1", { agent: "mock" });
  const session = await engine.sessions.get("s1");
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const before = process.cpuUsage();
  const { messageId } = await session.send({ message: String(count) });
  await session.messageEnd(messageId);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  // The delay of the timer itself is no wait.
  const found = { ms, waitMs: Math.max(0, delays.max / 1e6 - 1) };
  delays.disable();
  await engine.close();
  await removeFolder(root);
  return found;
}

async function open() {
  let begin;
  let end;
  const told = new Promise((resolve) => {
    begin = resolve;
  });
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  return {
    events: signals(told, ended),
    send: async (command) => command.type === "message" && begin(Number(command.text)),
    close: async () => {
      begin(0);
      end();
    },
  };
}

async function* signals(told, ended) {
  const count = await told;
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  for (const part of [numbers.flatMap(opened), numbers.flatMap(completed)]) {
    for (let at = 0; at < part.length; at += readSize) {
      yield [{ bodies: part.slice(at, at + readSize) }];
      await breathe();
    }
  }
  yield [{ bodies: [{ type: "turn.finished", data: { status: "completed" } }] }];
  await ended;
  yield [{ bodies: [{ type: "agent.exited", data: { exitCode: 0, signal: null } }] }];
}

function opened(n) {
  const scope = { action: "execute", pattern: `echo ${n}` };
  const asked = { requestKey: `ask_${n}`, action: "execute", title: `echo ${n}`, itemId: `item_${n}` };
  return [
    { type: "item.started", data: { item: itemOf(n, "in_progress") } },
    { type: "permission.asked", data: { ...asked, alwaysScope: [scope] } },
  ];
}

function completed(n) {
  return [{ type: "item.completed", data: { item: itemOf(n, "completed") } }];
}

function itemOf(n, status) {
  const call = {
    type: "tool_call",
    callId: `call_${n}`,
    name: "Bash",
    toolKind: "execute",
    input: { command: `echo ${n}` },
  };
  return { itemId: `item_${n}`, kind: "tool_call", role: "assistant", status, content: [call] };
}

async function throughDaemon(count) {
  const daemon = await startDaemon({ args: ["--agent-source", `claude=path:${programs.manyToolsAgent}`] });
  await daemon.call("POST", "/sessions/s1", { agent: "claude", token: "sk-ant-bench-0000" });
  const stream = await watchStream(daemon.port, await daemon.streamPath("s1"));
  const other = await keepAlive(daemon.port);
  let isOver = false;
  const waits = [];
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await other.ask("GET", "/sessions/s1");
      waits.push(performance.now() - asked);
      await breathe();
    }
  })();
  const before = await cpuSeconds(daemon.pid);
  const ended = stream.saw(turnEnded);
  await daemon.send("s1", String(count));
  await ended;
  const ms = 1_000 * ((await cpuSeconds(daemon.pid)) - before);
  isOver = true;
  await asking;
  stream.close();
  other.close();
  await daemon.stop();
  await removeFolder(daemon.data);
  return { ms, waitMs: Math.max(...waits) };
}
