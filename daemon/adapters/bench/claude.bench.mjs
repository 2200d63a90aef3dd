/** A turn on the kept-open process of Claude Code against a fresh process and its first turn. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adapters, SharedServers } from "@muster/adapters";
import { startScriptedLlm } from "@muster/scripted-llm";

const version = "2.1.325";
const rounds = 5;

export async function run(report) {
  const folder = mkdtempSync(join(tmpdir(), "muster-claude-bench-"));
  const llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Hello.", times: "always" }] }] } });
  const servers = new SharedServers();
  const sessions = [];
  try {
    const host = hostOf(folder, servers);
    const { path } = await adapters.claude.install(host, { version });
    const env = { PATH: process.env.PATH, HOME: folder };
    const bench = { llm, folder, host: { ...host, env, install: { sources: { claude: [{ kind: "file", path }] } } } };
    const fresh = [];
    const warm = [];
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      const session = await open(bench, round);
      sessions.push(session);
      fresh.push((await firstEvent(session)) - started);
      for (let turn = 0; turn < 3; turn++) {
        const sent = performance.now();
        warm.push((await firstEvent(session)) - sent);
      }
    }
    const value = median(fresh) / median(warm);
    report({
      name: "Claude: first event of a fresh process ÷ of a turn on the warm one",
      value,
      unit: "×",
      budget: "≥ 8 ×",
      ok: value >= 8,
      note: `medians of ${rounds}: fresh ${median(fresh).toFixed(0)} ms, warm ${median(warm).toFixed(0)} ms`,
    });
  } finally {
    await Promise.all(sessions.map((session) => session.close({ graceMs: 1_000 })));
    await servers.close();
    await llm.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function open({ host, folder, llm }, round) {
  const directory = join(folder, "work");
  mkdirSync(directory, { recursive: true });
  const session = await adapters.claude.open(host, {
    sessionId: `bench-${round}`,
    directory,
    permissionMode: "default",
    baseUrl: llm.url,
    token: "sk-ant-bench-0000",
    env: {},
    mcp: {},
    agentOptions: {},
  });
  void watch(session);
  return session;
}

async function watch(session) {
  for await (const outputs of session.events) {
    for (const { bodies } of outputs) for (const { type } of bodies) session.heard?.(type);
  }
}

let messages = 0;

/** One turn; resolves at its end with the moment of its first item. */
function firstEvent(session) {
  messages++;
  return new Promise((resolve, reject) => {
    let first;
    session.heard = (type) => {
      if (type === "item.started") first ??= performance.now();
      if (type === "turn.finished") resolve(first);
      if (type === "agent.exited") reject(new Error("Claude Code ended"));
    };
    session.send({ type: "message", messageId: `m${messages}`, text: "hello", attachments: [] }).catch(reject);
  });
}

function hostOf(folder, servers) {
  const dataDirectory = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");
  const livesDirectory = join(folder, "lives");
  mkdirSync(livesDirectory, { recursive: true });
  return {
    env: process.env,
    home: folder,
    dataDirectory: join(dataDirectory, "claude"),
    livesDirectory,
    servers,
    redact: (text) => text,
    log: () => {},
  };
}

function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await run(({ name, value, unit, budget, ok, note }) => {
    process.stdout.write(`${name}: ${value.toFixed(2)} ${unit} (${budget}) ${ok ? "ok" : "over"} — ${note}\n`);
  });
}
