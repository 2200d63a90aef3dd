import { describe, expect, it } from "vitest";
import { ampCredentials } from "../amp/credentials.ts";
import { claudeCredentials } from "../claude/credentials.ts";
import { codebuffCredentials } from "../codebuff/credentials.ts";
import { codexCredentials } from "../codex/credentials.ts";
import { agents } from "../index.ts";
import { opencodeCredentials } from "../opencode/credentials.ts";
import { listCredentials } from "./credential-list.ts";
import { type AgentCredentials, type DiscoveryHost, isExpired } from "./discovery.ts";

const now = Date.parse("2026-11-15T12:00:00Z");
const past = "2026-11-15T11:59:59Z";
const future = "2026-11-15T12:00:01Z";

/** A home with these files; a string is a file's text as it is, anything else is JSON. */
function home(files: Record<string, unknown>, env: Record<string, string> = {}): DiscoveryHost {
  return {
    env,
    home: "/home/me",
    now,
    async readFile(path) {
      const file = files[path.replace("/home/me/", "")];
      if (file === "forbidden") throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      if (file === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      return typeof file === "string" ? file : JSON.stringify(file);
    },
  };
}

/** What is found in order, as `source = secret`. */
async function discover(agent: AgentCredentials, files: Record<string, unknown>, env?: Record<string, string>) {
  const { credentials } = await agent.discover(home(files, env));
  return credentials.map(({ source, secret }) => `${source} = ${secret}`);
}

const oauth = (expiresAt: unknown, refreshToken?: string) => ({
  claudeAiOauth: { accessToken: "sk-ant-oat01-x", expiresAt, refreshToken },
});

describe("claude", () => {
  it("finds everything in the documented order", async () => {
    const files = {
      ".claude.json.api": { apiKey: "sk-ant-1" },
      ".claude.json": { primaryApiKey: "sk-ant-2" },
      ".claude.json.nathan": { apiKey: "sk-ant-n" },
      "extra.json": { customApiKey: "sk-ant-3" },
      ".claude/.credentials.json": oauth(future),
      ".claude-oauth-credentials.json": oauth(now + 1000),
    };
    const env = {
      ANTHROPIC_API_KEY: "sk-ant-a",
      CLAUDE_API_KEY: "sk-ant-b",
      CLAUDE_CODE_OAUTH_TOKEN: "t",
      SANDBOX_DAEMON_CLAUDE_FILES: "/home/me/extra.json",
    };
    expect(await discover(claudeCredentials, files, env)).toEqual([
      "environment ANTHROPIC_API_KEY = sk-ant-a",
      "environment CLAUDE_API_KEY = sk-ant-b",
      "environment CLAUDE_CODE_OAUTH_TOKEN = t",
      "~/.claude.json.api apiKey = sk-ant-1",
      "~/.claude.json primaryApiKey = sk-ant-2",
      "~/.claude.json.nathan apiKey = sk-ant-n",
      "~/extra.json customApiKey = sk-ant-3",
      "~/.claude/.credentials.json claudeAiOauth = sk-ant-oat01-x",
      "~/.claude-oauth-credentials.json claudeAiOauth = sk-ant-oat01-x",
    ]);
  });

  it("passes a key as a key and a token as a token, wherever it was found", async () => {
    const { credentials } = await claudeCredentials.discover(
      home(
        { ".claude/.credentials.json": oauth(future), ".claude.json": { apiKey: "sk-ant-2" } },
        { CLAUDE_API_KEY: "sk-ant-b" },
      ),
    );
    expect(credentials.map(({ kind, variable }) => [kind, variable])).toEqual([
      ["api_key", "ANTHROPIC_API_KEY"],
      ["api_key", "ANTHROPIC_API_KEY"],
      ["oauth", "CLAUDE_CODE_OAUTH_TOKEN"],
    ]);
  });

  it.each([
    [
      { primaryApiKey: "sk-ant-p", apiKey: "sk-ant-a", anthropicApiKey: "sk-ant-n", customApiKey: "sk-ant-c" },
      "primaryApiKey",
    ],
    [{ primaryApiKey: "wrong", apiKey: "sk-ant-a", anthropicApiKey: "sk-ant-n" }, "apiKey"],
    [{ apiKey: 7, anthropicApiKey: "sk-ant-n", customApiKey: "sk-ant-c" }, "anthropicApiKey"],
    [{ apiKey: "  ", customApiKey: "sk-ant-c" }, "customApiKey"],
  ])("takes the first field that holds a key: %j", async (file, field) => {
    const [first] = await discover(claudeCredentials, { ".claude.json": file });
    expect(first).toMatch(`~/.claude.json ${field} = `);
  });

  it.each([[past], [now - 1], [Math.floor(now / 1000) - 1]])(
    "skips a token that expired at %s, and says so",
    async (expiresAt) => {
      const { credentials, skipped } = await claudeCredentials.discover(
        home({ ".claude-oauth-credentials.json": oauth(expiresAt) }),
      );
      expect(credentials).toEqual([]);
      expect(skipped).toEqual([
        { provider: "anthropic", reason: "~/.claude-oauth-credentials.json claudeAiOauth: expired" },
      ]);
    },
  );

  it("leaves an expired login that the agent can renew to the agent", async () => {
    const { credentials } = await claudeCredentials.discover(home({ ".claude/.credentials.json": oauth(past, "r") }));
    expect(credentials).toMatchObject([{ kind: "oauth", ownLogin: true }]);
    expect(await discover(claudeCredentials, { ".claude-oauth-credentials.json": oauth(past, "r") })).toEqual([]);
  });

  it("follows CLAUDE_CONFIG_DIR", async () => {
    const files = {
      "conf/.claude.json": { apiKey: "sk-ant-1" },
      "conf/.credentials.json": oauth(future),
      ".claude.json": { apiKey: "sk-ant-old" },
    };
    expect(await discover(claudeCredentials, files, { CLAUDE_CONFIG_DIR: "/home/me/conf" })).toEqual([
      "~/conf/.claude.json apiKey = sk-ant-1",
      "~/conf/.credentials.json claudeAiOauth = sk-ant-oat01-x",
    ]);
  });
});

describe("codex", () => {
  const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.s`;
  const file = ".codex/auth.json";

  it("environment before auth.json, key before tokens", async () => {
    const files = {
      [file]: { OPENAI_API_KEY: "sk-file", tokens: { access_token: jwt(now / 1000 + 1), refresh_token: "r" } },
    };
    expect(await discover(codexCredentials, files, { CODEX_API_KEY: "c", OPENAI_API_KEY: "o" })).toEqual([
      "environment OPENAI_API_KEY = o",
      "environment CODEX_API_KEY = c",
      "~/.codex/auth.json OPENAI_API_KEY = sk-file",
      `~/.codex/auth.json tokens = ${jwt(now / 1000 + 1)}`,
    ]);
  });

  it("a login by ChatGPT is the agent's own; expired without a way to renew it is skipped", async () => {
    const login = (tokens: unknown) => codexCredentials.discover(home({ [file]: { OPENAI_API_KEY: null, tokens } }));
    expect((await login({ access_token: jwt(now / 1000 - 1), refresh_token: "r" })).credentials).toMatchObject([
      { kind: "oauth", ownLogin: true },
    ]);
    expect((await login({ access_token: jwt(now / 1000 - 1) })).skipped).toEqual([
      { provider: "openai", reason: "~/.codex/auth.json tokens: expired" },
    ]);
    expect((await login({})).skipped).toEqual([
      { provider: "openai", reason: "~/.codex/auth.json: holds neither key nor tokens" },
    ]);
  });

  it("follows CODEX_HOME", async () => {
    expect(
      await discover(codexCredentials, { "c/auth.json": { OPENAI_API_KEY: "k" } }, { CODEX_HOME: "/home/me/c" }),
    ).toEqual(["~/c/auth.json OPENAI_API_KEY = k"]);
  });
});

describe("opencode", () => {
  const file = ".local/share/opencode/auth.json";

  it("per provider the environment comes before auth.json, whose three shapes are known", async () => {
    const files = {
      [file]: {
        anthropic: { type: "oauth", access: "at", refresh: "r", expires: now - 1 },
        openai: { type: "api", key: "sk-o" },
        corp: { type: "wellknown", key: "CORP_TOKEN", token: "wk" },
        stale: { type: "oauth", access: "at", refresh: "", expires: now - 1 },
        odd: { type: "api" },
      },
    };
    const { credentials, skipped } = await opencodeCredentials.discover(
      home(files, { OPENAI_API_KEY: "sk-env", OPENROUTER_API_KEY: "or" }),
    );
    expect(credentials).toEqual([
      {
        provider: "openai",
        kind: "api_key",
        source: "environment OPENAI_API_KEY",
        secret: "sk-env",
        variable: "OPENAI_API_KEY",
      },
      {
        provider: "openrouter",
        kind: "api_key",
        source: "environment OPENROUTER_API_KEY",
        secret: "or",
        variable: "OPENROUTER_API_KEY",
      },
      { provider: "anthropic", kind: "oauth", source: `~/${file} anthropic`, secret: "at", ownLogin: true },
      { provider: "openai", kind: "api_key", source: `~/${file} openai`, secret: "sk-o", variable: "OPENAI_API_KEY" },
      { provider: "corp", kind: "api_key", source: `~/${file} corp`, secret: "wk", variable: "CORP_TOKEN" },
    ]);
    expect(skipped).toEqual([
      { provider: "stale", reason: `~/${file} stale: expired` },
      { provider: "odd", reason: `~/${file} odd: holds no key or token` },
    ]);
  });

  it("follows XDG_DATA_HOME", async () => {
    expect(
      await discover(
        opencodeCredentials,
        { "x/opencode/auth.json": { groq: { type: "api", key: "g" } } },
        { XDG_DATA_HOME: "/home/me/x" },
      ),
    ).toEqual(["~/x/opencode/auth.json groq = g"]);
  });
});

describe("amp", () => {
  const file = ".local/share/amp/secrets.json";

  it("AMP_API_KEY before its own login, and never Claude's credentials", async () => {
    const files = { [file]: { "apiKey@https://ampcode.com/": "sgamp_file" }, ".claude.json": { apiKey: "sk-ant-1" } };
    expect(await discover(ampCredentials, files, { AMP_API_KEY: "sgamp_env", ANTHROPIC_API_KEY: "sk-ant-a" })).toEqual([
      "environment AMP_API_KEY = sgamp_env",
      `~/${file} apiKey@https://ampcode.com/ = sgamp_file`,
    ]);
  });

  it("takes the login of the service it talks to", async () => {
    const files = { [file]: { "apiKey@https://ampcode.com/": "a", "apiKey@http://own/": "b" } };
    expect(await discover(ampCredentials, files, { AMP_URL: "http://own" })).toEqual([
      `~/${file} apiKey@http://own/ = b`,
    ]);
  });
});

describe("codebuff", () => {
  it("environment, config.json, auth.json, and last the file of the older command", async () => {
    const files = {
      ".codebuff/config.json": { token: "c-token", apiKey: "c-key" },
      ".codebuff/auth.json": { apiKey: " ", token: "a-token" },
      ".config/manicode/credentials.json": { default: { authToken: "old" } },
    };
    expect(await discover(codebuffCredentials, files, { CODEBUFF_API_KEY: "env" })).toEqual([
      "environment CODEBUFF_API_KEY = env",
      "~/.codebuff/config.json apiKey = c-key",
      "~/.codebuff/auth.json token = a-token",
      "~/.config/manicode/credentials.json authToken = old",
    ]);
    expect(await discover(codebuffCredentials, {}, { CODEBUFF_API_KEY: "   " })).toEqual([]);
  });
});

const everyFile: [string, AgentCredentials, string][] = [
  [".claude.json.api", claudeCredentials, "anthropic"],
  [".claude.json", claudeCredentials, "anthropic"],
  [".claude/.credentials.json", claudeCredentials, "anthropic"],
  [".claude-oauth-credentials.json", claudeCredentials, "anthropic"],
  [".codex/auth.json", codexCredentials, "openai"],
  [".local/share/opencode/auth.json", opencodeCredentials, "anthropic"],
  [".local/share/amp/secrets.json", ampCredentials, "amp"],
  [".codebuff/config.json", codebuffCredentials, "codebuff"],
  [".codebuff/auth.json", codebuffCredentials, "codebuff"],
  [".config/manicode/credentials.json", codebuffCredentials, "codebuff"],
];

describe.each(everyFile)("%s", (file, agent, provider) => {
  it.each([
    ["not JSON {", "is not a JSON object"],
    ["[1]", "is not a JSON object"],
    ["null", "is not a JSON object"],
    ["", "is not a JSON object"],
    ["forbidden", "cannot be read (EACCES)"],
  ])("that holds %j is reported and skipped", async (text, reason) => {
    expect(await agent.discover(home({ [file]: text }))).toMatchObject({
      credentials: [],
      skipped: [{ provider, reason: `~/${file}: ${reason}` }],
    });
  });
});

it("the list tells source and kind of what each agent would use, never a secret", async () => {
  const secret = "sk-ant-very-secret";
  const files = { ".codex/auth.json": "broken", ".claude.json": { apiKey: `${secret}-2` } };
  const list = await listCredentials(agents, home(files, { ANTHROPIC_API_KEY: secret }));
  expect(list).toEqual([
    { agent: "claude", provider: "anthropic", found: true, source: "environment ANTHROPIC_API_KEY", kind: "api_key" },
    { agent: "codex", provider: "openai", found: false, note: "skipped ~/.codex/auth.json: is not a JSON object" },
    { agent: "opencode", provider: "anthropic", found: true, source: "environment ANTHROPIC_API_KEY", kind: "api_key" },
    { agent: "opencode", provider: "openai", found: false },
    { agent: "amp", provider: "amp", found: false },
    { agent: "codebuff", provider: "codebuff", found: false },
    { agent: "codebuff", provider: "anthropic", found: true, source: "environment ANTHROPIC_API_KEY", kind: "api_key" },
  ]);
  expect(JSON.stringify(list)).not.toContain(secret);
});

it("times are milliseconds, seconds or ISO; what is no time does not expire", () => {
  expect(
    [past, now, now - 1, Math.floor(now / 1000), future, now + 1, "soon", null, undefined].map((time) =>
      isExpired(time, now),
    ),
  ).toEqual([...[true, true, true, true], ...[false, false, false, false, false]]);
});
