import { type AddressInfo, createServer, type Socket } from "node:net";
import { Conversation } from "@muster/conformance";
import type { CreatedSession } from "@muster/schema";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { expect, type TestContext } from "vitest";
import { AgentHome, parts, type Turns } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";
import type { TestedAgent } from "./installed-agent.ts";

/** What a person reads where there is no key: the variable, the option, the command that logs in. */
const keys: Readonly<Record<TestedAgent, { variable: string; login: string }>> = {
  claude: { variable: "ANTHROPIC_API_KEY", login: "claude /login" },
  codex: { variable: "OPENAI_API_KEY", login: "codex login" },
  opencode: { variable: "ANTHROPIC_API_KEY, OPENAI_API_KEY", login: "opencode auth login" },
  codebuff: { variable: "CODEBUFF_API_KEY, ANTHROPIC_API_KEY", login: "codebuff login" },
  amp: { variable: "AMP_API_KEY", login: "amp login" },
};

/** A model that the agent does not have, and one that it names instead. Amp has none to choose. */
const models: Readonly<Record<TestedAgent, { unknown: string; known?: string }>> = {
  claude: { unknown: "no-such-model", known: "sonnet" },
  codex: { unknown: "no-such-model", known: "gpt-5.5" },
  opencode: { unknown: "anthropic/no-such-model", known: "anthropic/claude-haiku-4-5" },
  codebuff: { unknown: "no-such-model", known: "claude-haiku-4-5" },
  amp: { unknown: "no-such-model" },
};

/** What fails alike with every agent, in a file for each: to be called at the top of it. */
export async function sameFailures(agent: TestedAgent): Promise<void> {
  const { settings, script } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();
  const create = async (sessionId: string, more: object) =>
    home.daemon.api.request<CreatedSession>("POST", `/sessions/${sessionId}`, {
      agent,
      directory: await home.directory(),
      ...more,
    });

  const open = async ({ onTestFinished }: TestContext, more: object) => {
    const talk = await Conversation.open(home.daemon.api, {
      agent,
      directory: await home.directory(),
      ...settings,
      ...more,
    });
    onTestFinished(() => talk.leave());
    return talk;
  };

  // Each waits for the agent most of the time.
  test.concurrent("without a key says at create which variable, option and login give one", async ({ expect }) => {
    const { body } = await create("keyless", {});
    const { variable, login } = keys[agent];
    expect(body).toMatchObject({ healthy: false, error: { type: "token_error", details: { login } } });
    expect(body.error?.message).toContain(`set ${variable}`);
    expect(body.error?.message).toContain("--agent-token-file");
    expect(body.error?.message).toContain(`log in with \`${login}\``);
  });

  test.concurrent("refuses a model that it does not have at create, and names some that it has", async ({ expect }) => {
    const { unknown, known } = models[agent];
    const { status, body } = await create("unknown-model", { token: settings.token, model: unknown });
    if (known === undefined) {
      expect({ status, body }).toMatchObject({ status: 400, body: { code: "unsupported_option", option: "model" } });
      return;
    }
    expect(body).toMatchObject({ healthy: false, error: { type: "unsupported" } });
    expect(body.error?.message).toContain(`'${unknown}'`);
    expect(body.error?.message).toContain(known);
  });

  test.concurrent("gives up on an endpoint where nobody listens, after at most four tries, in plain words", async (context) => {
    const { expect } = context;
    const { baseUrl, close } = await silentEndpoint(context);
    await close();
    const talk = await open(context, { baseUrl });
    const turn = await talk.say("hello");
    expect(turn.end).toMatchObject({ status: "failed", cause: "provider_error" });
    expect(turn.end.message).toMatch(/^[^{}]*conn[^{}]*$/i);
    const tries = parts(turn.of("item.completed"), "status").filter(({ label }) => label === "retrying");
    expect(tries.length).toBeLessThanOrEqual(4);
    await talk.finish();
  });

  test.concurrent("gives up on an endpoint that takes every call and answers none, after turnIdleMs, whatever it tries", async (context) => {
    const { expect } = context;
    const { baseUrl } = await silentEndpoint(context);
    const talk = await open(context, { baseUrl, limits: { turnIdleMs: 5_000 } });
    const { end } = await talk.say("hello");
    expect(end).toMatchObject({
      status: "failed",
      cause: "agent_timeout",
      message: "The agent gave no sign of life for 5 s (turnIdleMs)",
    });
    await talk.finish();
  });

  const begin = async (turns: Turns) => {
    const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
    const conversations = [...(script?.conversations ?? []), asides, { turns }];
    const llm = await startScriptedLlm({ script: { routes: script?.routes, conversations } });
    const directory = await home.directory();
    const talk = await Conversation.open(home.daemon.api, { agent, directory, ...settings, baseUrl: llm.url });
    return { llm, talk };
  };

  test.concurrent("tells a refusal of the provider in its words, never in its JSON", async ({ expect }) => {
    const { llm, talk } = await begin(refusal);
    const turn = await talk.say("hello");
    const told = [turn.end.message, ...turn.of("error").map(({ message }) => message)];
    expect(turn.end.status).toBe("failed");
    for (const message of told) expect(message).toMatch(/^[^{}]*the herons object[^{}]*$/);
    await talk.finish();
    await llm.close();
  });

  test.concurrent.each([
    ["length", "output_limit"],
    ["refusal", "refused"],
  ] as const)("an answer that ends with %s has failed with %s, and the session goes on", async (stop, cause) => {
    const { llm, talk } = await begin([
      { match: { user: "once more" }, text: "Here I am.", times: "always" },
      { text: "This is all there", stop, times: "always" },
    ]);
    const turn = await talk.say("tell me all");
    // Amp does not say why an answer was cut.
    expect(turn.end).toMatchObject({ status: "failed", cause: agent === "amp" ? "agent_error" : cause });
    expect(turn.end.message).toMatch(/^[^{}]+$/);
    expect((await talk.say("once more")).end.status).toBe("completed");
    await talk.finish();
    await llm.close();
  });

  test("a daemon that is stopped after a turn says one line and warns of nothing", async ({ expect }) => {
    const session = await home.beginWith(withAnswers(script));
    await session.talk.say("hello");
    const { daemon } = home;
    const before = daemon.stderr;
    expect(await daemon.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect([daemon.stdout.trimEnd().split("\n").at(-1), daemon.stderr.slice(before.length)]).toEqual([
      "sandbox-daemon has stopped; its sessions are kept",
      "",
    ]);
    await home.restart();
  });
}

function withAnswers(service: ScriptInput | undefined): ScriptInput {
  const answering = { turns: [{ text: "Yes.", times: "always" as const }] };
  return { routes: service?.routes, conversations: [...(service?.conversations ?? []), answering] };
}

/** A refusal of the provider, in the provider's JSON. */
const refusal: Turns = [{ fault: { kind: "status", status: 400, message: "the herons object" }, times: "always" }];

/** A port that takes connections and never says a word. */
async function silentEndpoint({ onTestFinished }: TestContext): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Whoever gives up may reset it.
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
