import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { isLong, tell } from "@muster/chaos";
import type { Session } from "@muster/schema";
import { expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { startProxy } from "./forward-proxy.ts";
import { agentsBehindGateway, type BehindGateway, gatewayHome, modelOf, talkTo } from "./gateway-home.ts";
import { keysIn, keysInFiles, keysInProcess, mark, readableMemory, type Sighting } from "./planted-keys.ts";

const programs: Partial<Record<BehindGateway, string>> = {};
const { test } = await testsOf("claude");
for (const agent of agentsBehindGateway) programs[agent] = (await testsOf(agent)).program?.path ?? "";

const plant = (prefix: string) => `${prefix}${mark}${randomBytes(16).toString("hex")}`;

/** Variables of the daemon's environment in which agents would find a key. */
const variables: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "sk-ant-",
  OPENAI_API_KEY: "sk-",
  OPENROUTER_API_KEY: "sk-or-",
  GEMINI_API_KEY: "AIza",
  GOOGLE_GENERATIVE_AI_API_KEY: "AIza",
  GROQ_API_KEY: "gsk_",
};
const models: Readonly<Record<BehindGateway, string | undefined>> = {
  claude: "claude-sonnet-4-5",
  codex: undefined,
  opencode: "anthropic/claude-sonnet-4-5",
  codebuff: undefined,
};
/** Sessions with a key of their own, beside the one of each agent that uses what was found. */
const rounds = isLong ? 24 : 1;

test("no planted key is anywhere in an agent, its files, the events, the logs or the records, and each reaches its provider", async () => {
  const env = Object.fromEntries(Object.entries(variables).map(([name, prefix]) => [name, plant(prefix)]));
  const keys = Object.values(env);
  // The conversation is long enough to be looked at while it goes on, and its command prints what it can see.
  const look = 'env; cat /proc/$PPID/environ; tr "\\0" "\\n" < /proc/$(cat daemon.pid)/environ; sleep 1';
  const reached = new Set<string>();
  const llm = await modelOf([
    {
      match: { user: "look around" },
      each: "prompt",
      turns: [
        ({ headers }) => {
          reached.add(headers["x-api-key"] ?? headers.authorization?.replace("Bearer ", "") ?? "");
          return { tools: [{ name: "run_command", input: { command: look } }] };
        },
        { text: "I saw nothing.", pace: { chars: 1, delayMs: 300 } },
      ],
    },
  ]);
  // Agents must reach the gateway past the proxy; it asks a provider on loopback directly too.
  const proxy = await startProxy();
  const endpoints = { ANTHROPIC_BASE_URL: llm.url, OPENAI_BASE_URL: llm.url, HTTP_PROXY: proxy.url };
  const { home, daemon } = await gatewayHome(programs, { args: ["--record"], env: { ...env, ...endpoints } });
  await writeFile(`${home.path}/daemon.pid`, String(daemon.pid));

  const seen: Sighting[] = [];
  let memory = 0;
  for (let round = 0; round <= rounds; round++) {
    // All agents at once: what each has in its memory is looked at when every one of them has asked its model.
    const talks = await Promise.all(
      agentsBehindGateway.map(async (agent) => {
        // In the first round each uses what the daemon has found, then a key of the session.
        const token = round === 0 ? undefined : plant(agent === "codex" ? "sk-" : "sk-ant-");
        if (token !== undefined) keys.push(token);
        const talk = await talkTo(daemon, { agent, token, model: models[agent], directory: home.path });
        const { messageId } = await talk.send("look around");
        await talk.until("item.delta", ({ part }) => part === "text");
        return { agent, talk, messageId };
      }),
    );
    const running = home.agents();
    expect(running.length).toBeGreaterThanOrEqual(agentsBehindGateway.length);
    for (const pid of running) seen.push(...keysInProcess(pid, keys));
    if (round === 0) memory = readableMemory(running[0] ?? Number.NaN);
    for (const { agent, talk, messageId } of talks) {
      const { end } = await talk.turnOf(messageId);
      expect([agent, end.status, end.wire?.requests]).toEqual([agent, "completed", 2]);
      expect((await daemon.api.get<Session>(talk.path)).keys).toBe("gateway");
      seen.push(...keysIn(`events of ${agent}`, JSON.stringify(await daemon.api.log(talk.sessionId)), keys));
      await daemon.api.post(`${talk.path}/terminate`, {});
      await talk.leave();
    }
  }
  seen.push(...keysIn("output of the daemon", daemon.stdout + daemon.stderr, keys));
  seen.push(...keysInFiles(home.path, keys));
  expect(keys.length).toBeGreaterThanOrEqual(isLong ? 100 : 10);
  expect(seen).toEqual([]);
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY } = env;
  expect([...reached].sort()).toEqual(
    [ANTHROPIC_API_KEY, OPENAI_API_KEY, ...keys.slice(Object.keys(env).length)].sort(),
  );
  tell({ fault: "planted keys of models", tried: keys.length, held: keys.length, counts: { sightings: 0, rounds } });
  // A look into no memory would see nothing either.
  expect(memory).toBeGreaterThan(50 * 1024 * 1024);
  expect([...proxy.hosts]).toEqual([]);
  expect(llm.failures()).toEqual([]);
});

test("without the gateway the same look finds the key in the environment and the memory of the agent", async () => {
  const key = plant("sk-ant-");
  const llm = await modelOf([{ turns: [{ text: "I saw nothing.", pace: { chars: 1, delayMs: 300 } }] }]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: llm.url };
  const { home, daemon } = await gatewayHome({ claude: programs.claude ?? "" }, { args: ["--no-gateway"], env });
  const talk = await talkTo(daemon, { agent: "claude", directory: home.path });
  await talk.send("look around");
  await talk.until("item.delta");
  const seen = home.agents().flatMap((pid) => keysInProcess(pid, [key]));
  expect(new Set(seen.map(({ where }) => where.split(" ")[1]))).toEqual(new Set(["environ", "memory"]));
  expect((await daemon.api.get<Session>(talk.path)).keys).toBe("none");
});
