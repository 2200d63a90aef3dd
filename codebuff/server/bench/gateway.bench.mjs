/** What the gateway adds until the first word, beside the provider alone in the same run. Loads the build. */
import { spawn } from "node:child_process";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const program = fileURLToPath(new URL("../bin/codebuff-server.mjs", import.meta.url));
const many = 200;

/** Calls `report({ name, value, unit, baseline, budget, ok })` once per line. */
export async function run(report) {
  const folder = mkdtempSync(join(tmpdir(), "codebuff-bench-"));
  const children = [];
  const start = (args, pattern, env = {}) => startChild(children, args, pattern, { ...env, HOME: folder });
  try {
    const [, providerUrl] = await start([self, "provider"], /provider (\S+)/);
    const env = {
      CODEBUFF_SERVER_DATA: folder,
      OPENROUTER_API_KEY: "sk-or-bench",
      OPENROUTER_BASE_URL: providerUrl,
      FREE_CREDITS_PER_MONTH: "1000000",
      LOG_LEVEL: "error",
    };
    const [, key, url] = await start([program, "serve", "--port", "0"], /once: (\S+)\nCodebuff server: (\S+)\n/, env);
    const syncMs = timeSync(join(folder, "sync"));
    report({ name: "gateway: a synced write on this disk, p50", value: syncMs, unit: "ms", budget: null });
    const agent = new Agent({ keepAlive: true, maxSockets: many });
    const direct = () => stream(`${providerUrl}/v1/chat/completions`, { agent, key, body: chat() });
    const runId = JSON.parse(
      (await stream(`${url}/api/v1/agent-runs`, { agent, key, body: { action: "START", agentId: "base2" } })).text,
    ).runId;
    const through = () => stream(`${url}/api/v1/chat/completions`, { agent, key, body: chat(runId) });
    compareBytes((await direct()).text, (await through()).text);
    for (let n = 0; n < 30; n++) await through();

    const one = { direct: [], through: [] };
    for (let round = 0; round < 200; round++) {
      one.direct.push((await direct()).firstMs);
      one.through.push((await through()).firstMs);
    }
    tell(report, "first word, 1 stream", one, { budget: 5, syncMs });

    const burst = { direct: [], through: [] };
    for (let round = 0; round < 8; round++) {
      for (const [name, ask] of Object.entries({ direct, through })) {
        const answers = await Promise.all(Array.from({ length: many }, ask));
        if (round > 0) burst[name].push(...answers.map(({ firstMs }) => firstMs));
      }
    }
    tell(report, `first word, ${many} streams at once`, burst, { budget: 60, syncMs });
    agent.destroy();
  } finally {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each call waits for two commits of the ledger: on a disk that others keep busy the budget cannot be judged. */
const slowestDiskMs = 3;

function tell(report, name, { direct, through }, { budget, syncMs }) {
  for (const [title, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ]) {
    const baseline = at(direct, share);
    const value = at(through, share);
    const added = value - baseline;
    const line = { name: `gateway: ${name}, ${title}`, value, unit: "ms", baseline, baselineIs: "the provider alone" };
    if (title === "p50")
      report({
        ...line,
        budget: `+${budget} ms (+${added.toFixed(1)})`,
        ok: syncMs > slowestDiskMs && added > budget ? undefined : added <= budget,
      });
    else report(line);
  }
}

function timeSync(path) {
  const file = openSync(path, "w");
  const bytes = Buffer.alloc(4096);
  const times = Array.from({ length: 50 }, () => {
    const began = performance.now();
    writeSync(file, bytes, 0, bytes.length, 0);
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return at(times, 0.5);
}

/** Our comments and the usage apart, what comes out is what went in. */
function compareBytes(direct, through) {
  const plain = (text) =>
    text
      .split("\n\n")
      .filter((frame) => !frame.startsWith(":") && !frame.includes('"usage":{'))
      .join("\n\n");
  if (plain(direct) !== plain(through)) throw new Error("The gateway changed the stream");
}

function at(values, share) {
  return values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

function chat(runId) {
  return {
    model: "anthropic/claude-sonnet-4.5",
    stream: true,
    max_tokens: 100,
    messages: [{ role: "user", content: "x".repeat(20_000) }],
    codebuff_metadata: runId === undefined ? undefined : { run_id: runId },
  };
}

function stream(url, { agent, key, body }) {
  const bytes = Buffer.from(JSON.stringify(body));
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-length": bytes.length };
    const call = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      let firstMs;
      response.on("data", (chunk) => {
        text += chunk;
        if (firstMs === undefined && text.includes("data:")) firstMs = performance.now() - began;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve({ text, firstMs }) : reject(new Error(`${response.statusCode} ${text}`)),
      );
    });
    call.on("error", (error) => {
      // An idle connection that was closed just as it was used again says nothing about the gateway.
      if (call.reusedSocket && error.code === "ECONNRESET") stream(url, { agent, key, body }).then(resolve, reject);
      else reject(error);
    });
    call.end(bytes);
  });
}

/** Resolves to what the pattern found in the child's output. */
function startChild(children, args, pattern, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found) resolve([...found]);
    });
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}

/** 60 words, two milliseconds apart after the first: the provider is a process of its own. */
function serveProvider() {
  const frame = (value) => `data: ${JSON.stringify(value)}\n\n`;
  const word = frame({ id: "gen", choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let count = 0;
      const timer = setInterval(() => {
        response.write(word.repeat(10));
        if (++count < 6) return;
        clearInterval(timer);
        const usage = { prompt_tokens: 10, completion_tokens: 60, cost: 0.0001 };
        response.end(`${frame({ id: "gen", choices: [], usage })}data: [DONE]\n\n`);
      }, 2);
      response.write(word);
    });
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`provider http://127.0.0.1:${server.address().port}\n`));
}

if (process.argv[1] === self && process.argv[2] === "provider") serveProvider();
