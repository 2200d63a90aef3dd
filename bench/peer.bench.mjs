/**
 * The same things asked of sandbox-agent (npm: @sandbox-agent/cli-linux-x64, never a dependency of ours) in the same
 * run: `--peer <its binary>`. Its agent is a stand-in in Node, as our mock is, so that both wait for the same runtime.
 */
import { spawn } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon } from "./daemon.mjs";
import { adopt, programs, residentMegabytes, scratchFolder, stop } from "./processes.mjs";
import { median } from "./statistics.mjs";

const prompt = "echo a few words";
const startMs = 30_000;

export async function run({ report, say, rounds, peer }) {
  const ours = { start: [], rss: [], first: [], warm: [] };
  const theirs = { start: [], rss: [], first: [], warm: [] };
  for (let round = 1; round <= rounds(10); round++) {
    say(`start, create and first turn, ${round} of ${rounds(10)}`);
    await measure(ours, startOurs, rounds(30));
    await measure(theirs, () => startPeer(peer), rounds(30));
  }
  const rows = {
    start: ["spawn → first answer of /health", "ms"],
    rss: ["idle RSS", "MB"],
    first: ["create a session + first turn", "ms", 1],
    warm: ["warm turn", "ms"],
  };
  for (const [key, [name, unit, most]] of Object.entries(rows)) {
    const [value, baseline] = [median(ours[key]), median(theirs[key])];
    const judged = most === undefined ? {} : { budget: `≤ ${most} × peer`, ok: value <= most * baseline };
    report({ name: `beside the peer: ${name}`, value, unit, baseline, baselineIs: "sandbox-agent", ...judged });
  }
}

async function measure(results, start, turns) {
  const server = await start();
  results.start.push(performance.now() - server.started);
  await sleep(500);
  results.rss.push(await residentMegabytes(server.pid));
  results.first.push(await timeOf(() => server.firstTurn("s1")));
  for (let turn = 0; turn < turns; turn++) results.warm.push(await timeOf(() => server.turn("s1")));
  await server.stop();
}

/** The answer to a message that is streamed ends with its turn. */
async function startOurs() {
  const daemon = await startDaemon({ env: environment(await scratchFolder()) });
  await daemon.call("GET", "/health");
  const turn = (sessionId) => daemon.stream(sessionId, prompt);
  return {
    ...daemon,
    turn,
    async firstTurn(sessionId) {
      await daemon.create(sessionId);
      await turn(sessionId);
    },
  };
}

/** The same for both: what else is in ours may cost every Node process time, such as certificates to read. */
function environment(home) {
  return { HOME: home, PATH: process.env.PATH };
}

/** Its answer to a prompt is the end of the turn. */
export async function startPeer(binary) {
  const home = await scratchFolder();
  await installStandIn(home);
  const port = await freePort();
  const started = performance.now();
  const args = ["server", "--no-token", "--no-telemetry", "--port", String(port)];
  const child = adopt(spawn(binary, args, { env: environment(home), stdio: "ignore" }));
  const base = `http://127.0.0.1:${port}/v1`;
  await answers(`${base}/health`, started);
  let asked = 0;
  const ask = async (path, method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++asked, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${base}${path}`, { method: "POST", headers, body });
    const answer = await response.json();
    if (answer.result === undefined) throw new Error(`The peer answered ${method} with ${JSON.stringify(answer)}`);
    return answer.result;
  };
  const turn = (id, sessionId = "stand-in") =>
    ask(`/acp/${id}`, "session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
  return {
    pid: child.pid,
    started,
    turn: (id) => turn(id),
    async firstTurn(id) {
      await ask(`/acp/${id}?agent=mock`, "initialize", { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await ask(`/acp/${id}`, "session/new", { cwd: home, mcpServers: [] });
      await turn(id, sessionId);
    },
    stop: () => stop(child),
  };
}

/** Where the peer looks for the process of its own mock. */
async function installStandIn(home) {
  const path = join(home, ".local/share/sandbox-agent/bin/agent_processes/mock-acp");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec ${process.execPath} ${programs.acpAgent}\n`);
  await chmod(path, 0o755);
}

async function answers(url, since) {
  while (performance.now() - since < startMs) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(1);
  }
  throw new Error(`The peer did not answer within ${startMs} ms`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
