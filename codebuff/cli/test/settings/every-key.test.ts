import { settingKeys } from "@muster/codebuff-protocol";
import { connectSubscription } from "@muster/codebuff-sdk";
import { describe, expect, it } from "vitest";
import type { HeadlessTerminal } from "../screen/headless-terminal.ts";
import { openScreen } from "../screen/screen-world.ts";
import { countingService, make, observe, read, type Setup, write } from "./observe-settings.ts";

/** Two files that differ in one key. */
type Pair = readonly [before: Setup, after: Setup];

const service = { type: "openai-compatible", baseUrl: "LLM", model: "one" };
const served = (given: object): Setup => ({
  user: { provider: "mine", providers: { mine: { ...service, ...given } } },
});
const page = { name: "read_url", input: { url: "http://127.0.0.1:9/a" }, native: true };
const subscription = {
  authorizeUrl: "http://127.0.0.1:9/authorize",
  tokenUrl: "http://127.0.0.1:9/token",
  clientId: "me",
  apiBaseUrl: "LLM",
};

/** The helper that reads pages, in the place of the agent that answers. */
const reader = (setup: Setup): Setup => ({
  ...setup,
  project: { ...setup.project, baseAgent: "researcher" },
  turns: [{ tools: [page] }, { text: "Done." }],
});

/** Keys that both files have, in the file that is made of them. */
const shared = (file: "user" | "project"): Record<string, Pair> => ({
  mode: [{}, { [file]: { mode: "plan" } }],
  model: [{}, { [file]: { model: "anthropic/claude-opus-4.6" } }],
  variant: [{}, { [file]: { variant: "high" } }],
  maxAgentSteps: [{}, { [file]: { maxAgentSteps: 1 } }],
});

/** Keys of a rule, wherever the list of rules stands. */
function ruleKeys(prefix: string, fileOf: (rules: readonly object[]) => Setup): Record<string, Pair> {
  const pair = (before: object, after: object): Pair => [fileOf([before]), fileOf([after])];
  return {
    [prefix]: [fileOf([]), fileOf([{ effect: "deny", command: "make *" }])],
    [`${prefix}[].effect`]: pair({ effect: "allow", command: "make build" }, { effect: "deny", command: "make build" }),
    [`${prefix}[].action`]: pair(
      { effect: "deny", action: "edit", path: "vendor/**" },
      { effect: "deny", action: "read", path: "vendor/**" },
    ),
    [`${prefix}[].tool`]: pair({ effect: "deny", tool: "glob" }, { effect: "deny", tool: "read_files" }),
    [`${prefix}[].path`]: pair({ effect: "deny", path: "other/**" }, { effect: "deny", path: "vendor/**" }),
    [`${prefix}[].command`]: pair({ effect: "deny", command: "make other" }, { effect: "deny", command: "make build" }),
    [`${prefix}[].host`]: [
      reader(fileOf([{ effect: "deny", host: "other.example" }])),
      reader(fileOf([{ effect: "deny", host: "127.0.0.1" }])),
    ],
    [`${prefix}[].reason`]: pair(
      { effect: "deny", command: "make build", reason: "one" },
      { effect: "deny", command: "make build", reason: "two" },
    ),
  };
}

const hook = { name: "lint", command: "touch hooked" };
const hooked = (given: object): Setup => ({
  project: { fileChangeHooks: [{ ...hook, ...given }] },
  turns: [{ tools: [write] }, { text: "Done." }],
});
const started = (given: object): Setup => ({
  project: { startupProcesses: [{ name: "server", command: "touch started", ...given }] },
  turns: [{ tools: [{ ...make, input: { command: "sleep 0.5" } }] }, { text: "Done." }],
});

/** Seen in runs: another request, decision or result. */
const runs: Readonly<Record<string, Record<string, Pair>>> = {
  user: {
    ...shared("user"),
    "permissions.mode": [{}, { user: { permissions: "default" } }],
    ...ruleKeys("permissions.rules", (rules) => ({ user: { permissions: { rules } } })),
    provider: [served({}), { user: { providers: { mine: service } } }],
    "providers.<name>.type": [served({}), served({ type: "anthropic", apiKeyEnv: "ANTHROPIC_API_KEY" })],
    "providers.<name>.baseUrl": [served({}), served({ baseUrl: "LLM/v9" })],
    "providers.<name>.apiKeyEnv": [served({}), served({ apiKeyEnv: "NOT_SET" })],
    "providers.<name>.model": [served({}), served({ model: "two" })],
    baseUrl: [{ user: { apiKey: "k", baseUrl: "http://A" } }, { user: { apiKey: "k", baseUrl: "http://B" } }],
    apiKey: [{ user: { apiKey: "k", baseUrl: "http://A" } }, { user: { apiKey: "other", baseUrl: "http://A" } }],
    token: [{ user: { token: "k", baseUrl: "http://A" } }, { user: { token: "other", baseUrl: "http://A" } }],
    ...Object.fromEntries(
      (["claude", "chatgpt"] as const).flatMap((name): [string, Pair][] => {
        const model = name === "claude" ? "anthropic/claude-sonnet-4.6" : "openai/gpt-5.1";
        const env = { [`CODEBUFF_${name.toUpperCase()}_OAUTH_TOKEN`]: "t" };
        const owned = (given: object): Setup => ({
          user: { model, provider: name, oauth: { [name]: { ...subscription, ...given } } },
          env,
        });
        return [
          [`oauth.${name}.apiBaseUrl`, [owned({}), owned({ apiBaseUrl: "http://A" })]],
          [`oauth.${name}.models`, [owned({}), owned({ models: ["none-*"] })]],
        ];
      }),
    ),
  },
  project: {
    ...shared("project"),
    baseAgent: [{}, { project: { baseAgent: "base-free" } }],
    spawnableAgents: [{}, { project: { spawnableAgents: [] } }],
    ...ruleKeys("permissions.rules", (rules) => ({ project: { permissions: { rules } } })),
    fileChangeHooks: [{ turns: hooked({}).turns }, hooked({})],
    "fileChangeHooks[].name": [hooked({}), hooked({ name: "other" })],
    "fileChangeHooks[].command": [hooked({}), hooked({ command: "touch other" })],
    "fileChangeHooks[].cwd": [hooked({}), hooked({ cwd: "vendor" })],
    "fileChangeHooks[].filePattern": [hooked({}), hooked({ filePattern: "**/*.md" })],
    "fileChangeHooks[].enabled": [hooked({}), hooked({ enabled: false })],
    startupProcesses: [{ turns: started({}).turns }, started({})],
    "startupProcesses[].name": [started({ cwd: "nowhere" }), started({ cwd: "nowhere", name: "other" })],
    "startupProcesses[].command": [started({}), started({ command: "touch other" })],
    "startupProcesses[].cwd": [started({}), started({ cwd: "vendor" })],
    "startupProcesses[].enabled": [started({}), started({ enabled: false })],
    "startupProcesses[].stdoutFile": [started({}), started({ stdoutFile: "out.log" })],
    "startupProcesses[].stderrFile": [started({}), started({ stderrFile: "err.log" })],
  },
  permissions: ruleKeys("rules", (rules) => ({ permissions: { rules } })),
};

/** Seen elsewhere than in a run. */
const elsewhere: Readonly<Record<string, Record<string, () => Promise<void>>>> = {
  user: {
    theme: async () => {
      const shown = async (theme: string) => {
        const { terminal } = await openScreen({ config: { theme } });
        await terminalShows(terminal, "codebuff");
        return terminal.styled();
      };
      expect(await shown("light")).not.toBe(await shown("dark"));
    },
    vim: async () => {
      const shown = async (vim: boolean) => {
        const world = await openScreen({ config: { vim } });
        world.terminal.type("one two");
        world.terminal.press("escape");
        world.terminal.type("bdw");
        await world.shows(/› one/);
        return world.terminal.screen();
      };
      expect(await shown(true)).not.toBe(await shown(false));
    },
    "keys.<name>": async () => {
      const shown = async (keys: object) => {
        const world = await openScreen({ config: { keys } });
        world.terminal.send("\u0013");
        world.terminal.type("x");
        await world.shows(/^(?!.*anthropic).*\bx\b/m);
        return world.terminal.screen();
      };
      expect(await shown({ "ctrl+s": "search.open" })).not.toBe(await shown({}));
    },
    ...Object.fromEntries(
      (["claude", "chatgpt"] as const).flatMap((name) =>
        Object.entries({
          authorizeUrl: "http://127.0.0.1:8/other",
          clientId: "another",
          scopes: ["read"],
          redirectUri: "http://127.0.0.1:8/back",
        }).map(([field, value]): [string, () => Promise<void>] => [
          `oauth.${name}.${field}`,
          async () => {
            const config = { scopes: [], ...subscription };
            const address = (given: object) => new URL(connectSubscription(name, { ...config, ...given }).url);
            const parts = ({ origin, pathname, searchParams }: URL) =>
              [
                origin,
                pathname,
                searchParams.get("client_id"),
                searchParams.get("scope"),
                searchParams.get("redirect_uri"),
              ].join();
            expect(parts(address({ [field]: value }))).not.toBe(parts(address({})));
          },
        ]),
      ),
    ),
    ...Object.fromEntries(
      (["claude", "chatgpt"] as const).flatMap((name): [string, () => Promise<void>][] => [
        [`oauth.${name}.tokenUrl`, () => exchangesCode(name)],
        [`oauth.${name}.issuer`, () => connects(name, { issuer: "Example Sign-In" })],
      ]),
    ),
  },
};

/** The code is taken to the address of the setting and to no other. */
async function exchangesCode(name: "claude" | "chatgpt"): Promise<void> {
  const services = [await countingService(), await countingService()];
  for (const { url } of services) {
    const config = { scopes: [], ...subscription, tokenUrl: `${url}/token` };
    await connectSubscription(name, config)
      .finish("code")
      .catch(() => undefined);
  }
  expect(services.map(({ hits }) => hits.length)).toEqual([1, 1]);
}

/** `/connect` in a chat: what it asks, and what it says when the service is not there. */
async function connects(name: string, given: object): Promise<void> {
  const shown = async (config: object) => {
    const world = await openScreen({
      config: { oauth: { [name]: { ...subscription, apiBaseUrl: "http://127.0.0.1:9", ...config } } },
    });
    world.enter(`/connect ${name}`);
    await world.shows("The code that");
    const asked = /The code that .* shows/.exec(await world.terminal.screen())?.[0];
    await world.guardPassed();
    world.terminal.type("1");
    world.terminal.type("code");
    world.terminal.press("enter");
    await world.said(/fetch failed|bad port|ECONNREFUSED|refused/i);
    const lines = (await world.terminal.everything()).filter((line) => /fetch|port|refused/i.test(line));
    return [asked, ...lines].join("\n");
  };
  expect(await shown(given)).not.toBe(await shown({}));
}

async function terminalShows(terminal: HeadlessTerminal, text: string): Promise<void> {
  await expect.poll(() => terminal.screen(), { timeout: 10_000 }).toContain(text);
}

describe.each(["user", "project", "permissions"] as const)("the %s file", (file) => {
  const seen = { ...runs[file], ...elsewhere[file] };

  it("has a test for every key of its schema, and for no other", () => {
    expect(Object.keys(seen).sort()).toEqual(
      settingKeys(file)
        .map(({ key }) => key)
        .sort(),
    );
  });

  it.each(Object.entries(runs[file] ?? {}))("%s makes another run", async (_, [before, after]) => {
    const turns = before.turns ?? after.turns;
    const [one, two] = [await observe({ ...before, turns }), await observe({ ...after, turns })];
    expect(two).not.toBe(one);
    expect(two).toContain('"problems":[]');
  });

  const others = Object.entries(elsewhere[file] ?? {});
  if (others.length > 0) it.each(others)("%s is seen on the screen or in an address", async (_, look) => look());
});

it("two runs under the same settings are seen as the same", async () => {
  const setup: Setup = { user: { permissions: "ask" }, turns: [{ tools: [make, read] }, { text: "Done." }] };
  expect(await observe(setup)).toBe(await observe(setup));
});
