import { performance } from "node:perf_hooks";
import { AgentDefinition, emptyRunAgentState } from "@muster/codebuff-protocol";
import { callMainPrompt } from "@muster/codebuff-runtime";

const stepsPerTurn = 20;
const turns = 100;
const free = { millicredits: 0, known: true };
const usage = { inputTokens: 100, outputTokens: 20 };
const fileText = "export const line = 1;\n".repeat(40);

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const line = (name, value, unit, budget, isGood) => {
    report({ name, value: round(value), unit, budget, ok: budget === undefined ? undefined : isGood(value) });
  };
  const atMost = (budget) => (value) => value <= budget;
  const atLeast = (budget) => (value) => value >= budget;

  await measureTurns(3);
  const { first, last, cpu, perStep } = await measureTurns(turns);
  line("overhead per step without model time", perStep, "ms");
  line("CPU per step", cpu, "ms", 10, atMost(10));
  line(`step of turn ${turns} ÷ step of turn 1–10`, last / first, "×", 4, atMost(4));

  const prefix = await measurePrefix();
  line("identical prefix between steps", prefix.plain * 100, "%", 95, atLeast(95));
  line("identical prefix between steps, shrunk requests included", prefix.withCompaction * 100, "%");
  line("identical prefix after a resume", prefix.resumed * 100, "%");
  line("identical prefix after another agent took over (mode change)", prefix.otherAgent * 100, "%");

  for (const [phase, ms] of Object.entries(await measureAborts())) line(`abort ${phase}`, ms, "ms", 200, atMost(200));
}

/** Turns of one session, each with some steps and tool calls. */
async function measureTurns(count) {
  const world = openWorld({ isRecording: false });
  let sessionState = emptySession();
  const times = [];
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  for (let turn = 0; turn < count; turn++) {
    const start = performance.now();
    sessionState = await runTurn(world, sessionState);
    times.push((performance.now() - start) / stepsPerTurn);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const steps = count * stepsPerTurn;
  return {
    first: median(times.slice(0, 10)),
    last: median(times.slice(-10)),
    cpu: (user + system) / 1000 / steps,
    perStep: (performance.now() - begun) / steps,
  };
}

async function measurePrefix() {
  const wide = openWorld({ window: 2_000_000 });
  await runTurn(wide, emptySession());
  const tight = openWorld({ window: 16_000, steps: 200 });
  await runTurn(tight, emptySession());
  const session = openWorld({ window: 2_000_000 });
  const once = await runTurn(session, emptySession());
  const lastOfFirst = session.requests.at(-1);
  const mark = session.requests.length;
  await runTurn(session, JSON.parse(JSON.stringify(once)));
  const resumed = samePrefix(lastOfFirst, session.requests[mark]);
  const other = session.requests.length;
  await runTurn(session, once, "other");
  return {
    plain: mean(pairs(wide.requests).map(([one, next]) => samePrefix(one, next))),
    withCompaction: mean(pairs(tight.requests).map(([one, next]) => samePrefix(one, next))),
    resumed,
    otherAgent: samePrefix(lastOfFirst, session.requests[other]),
  };
}

/** The time from the abort to the last word, in real time. */
async function measureAborts() {
  const hang = () => new Promise(() => undefined);
  const phases = {
    "while START is asked": { start: hang },
    "in a silent stream": { stream: hang },
    "while a tool runs": { tool: hang },
  };
  const times = {};
  for (const [name, broken] of Object.entries(phases)) {
    const world = openWorld(broken);
    const controller = new AbortController();
    let abortedAt = 0;
    setTimeout(() => {
      abortedAt = performance.now();
      controller.abort();
    }, 50);
    await runTurn(world, emptySession(), "worker", controller.signal);
    times[name] = performance.now() - abortedAt;
  }
  return times;
}

function openWorld({ window = 1_000_000, steps = stepsPerTurn, start, stream, tool, isRecording = true } = {}) {
  const requests = [];
  const ids = { count: 0 };
  const definition = (id) =>
    AgentDefinition.parse({
      id,
      displayName: id,
      model: "bench/model",
      systemPrompt: `You are ${id}. `.repeat(200),
      instructionsPrompt: "Work.",
      stepPrompt: "{CODEBUFF_REMAINING_STEPS} steps left",
      toolNames: ["read_files", "run_terminal_command", "write_file"],
    });
  let taken = 0;
  const ports = {
    model: {
      contextWindow: () => window,
      async *stream(request) {
        if (isRecording) requests.push(wireOf(request));
        if (stream !== undefined) await stream();
        taken++;
        yield { type: "text-delta", text: `Step ${taken}. ` };
        const isLast = taken % steps === 0;
        if (!isLast) yield { type: "tool-call", toolName: "read_files", input: `{"paths":["src/${taken}.ts"]}` };
        yield { type: "finish", reason: "stop", usage, cost: free };
      },
    },
    tools: {
      definitions: async () => [],
      run: async (calls) => {
        if (tool !== undefined) await tool();
        return calls.map(({ toolCallId, toolName }) => ({
          toolCallId,
          toolName,
          output: [{ type: "json", value: [{ path: "a", content: fileText, referencedBy: {} }] }],
        }));
      },
      endAgent: () => undefined,
    },
    clock: { now: Date.now, sleep, newId: (kind) => `${kind}-${++ids.count}` },
    ledger: { start: start ?? (async () => ({ runId: "run" })), step: () => undefined, finish: () => undefined },
    agents: { find: async (id) => ({ definition: definition(id), origin: "local" }) },
    log: { write: async () => undefined, warn: () => undefined },
  };
  return { ports, requests, steps };
}

/** A request as bytes: what a provider's cache would compare. */
function wireOf({ tools, messages }) {
  return JSON.stringify([tools, messages.map(({ role, content, toolCallId }) => ({ role, content, toolCallId }))]);
}

async function runTurn({ ports, steps }, sessionState, agent = "worker", signal = new AbortController().signal) {
  let next = sessionState;
  const prompt = {
    sessionState,
    content: [{ type: "text", text: "Go on with the work." }],
    agent,
    limits: { maxSteps: steps + 1 },
  };
  const onAction = (action) => {
    if (action.type === "prompt-response") next = action.sessionState;
  };
  await callMainPrompt(prompt, ports, onAction, signal);
  return next;
}

function emptySession() {
  const fileContext = { projectRoot: "/p", cwd: "/p", fileTree: [], knowledgeFiles: {} };
  return { sessionId: "bench", fileContext, mainAgentState: emptyRunAgentState("worker") };
}

function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** The share of the earlier request that the later one repeats from its beginning: what a cache can reuse. */
function samePrefix(one, next) {
  const length = Math.min(one.length, next.length);
  let same = 0;
  while (same < length && one[same] === next[same]) same++;
  return same / one.length;
}

const pairs = (list) => list.slice(1).map((next, index) => [list[index], next]);
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const median = (list) => [...list].sort((one, other) => one - other)[Math.floor(list.length / 2)];
const round = (value) => Math.round(value * 100) / 100;
