import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PolicyRule } from "@muster/codebuff-protocol";
import { describe, expect, it } from "vitest";
import { Gate, openProject, type PermissionAnswer, type PermissionRequest } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";
import { covered, generousRules, uncovered } from "./uncovered-commands.ts";

const call = { toolCallId: "call-1", runId: "run-1", agentId: "main-agent", signal: new AbortController().signal };

async function gateFor(
  rules: readonly PolicyRule[],
  options: Partial<ConstructorParameters<typeof Gate>[0]> & {
    answer?: PermissionAnswer;
    files?: Record<string, string>;
  } = {},
) {
  const { answer = { decision: "deny" }, files = { "src/a.ts": "a" }, ...given } = options;
  const { root } = await projectFixture(files);
  const asked: PermissionRequest[] = [];
  const gate = new Gate({
    project: await openProject(root),
    permissions: "default",
    rules,
    ask: async (request) => {
      asked.push(request);
      return answer;
    },
    ...given,
  });
  return { gate, forCall: gate.forCall(call), asked, root };
}

describe("rules for commands", () => {
  it.each(uncovered)("a rule for what begins with some words does not cover %s: %j", async (_, command) => {
    const { forCall } = await gateFor(generousRules, { files: { ".env": "KEY=1", "src/a.ts": "a" } });
    expect((await forCall.command(command)).ok).toBe(false);
  });

  it.each(covered.map((command) => [command]))("the same rules cover %j", async (command) => {
    const { forCall, asked } = await gateFor(generousRules);
    expect([(await forCall.command(command)).ok, asked]).toEqual([true, []]);
  });

  it("the table of what is not covered has at least sixty rows", () => {
    expect(new Set(uncovered.map(([, command]) => command)).size).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ["git push --force", "git push --force", true],
    ["git push --force", "git push --force origin", false],
    ["git push --force", "git push --force && make", false],
    ["rm 'a b'", "rm 'a b'", true],
    ["rm 'a b'", "rm a b", false],
    ["npm run lint && npm run other", "npm run lint && npm run other", true],
    ["npm run lint && npm run other", "npm run lint && npm run other && make", false],
  ])("the rule for %j as it is written, for %j: %s", async (command, line, expected) => {
    const { forCall } = await gateFor([{ effect: "allow", command }]);
    expect((await forCall.command(line)).ok).toBe(expected);
  });

  it("a command is covered in the project only", async () => {
    const { forCall } = await gateFor([{ effect: "allow", command: "make build" }]);
    expect((await forCall.command("make build")).ok).toBe(true);
    expect((await forCall.command("make build", "/tmp")).ok).toBe(false);
  });

  it.each([
    [
      [
        { effect: "allow", command: "npm *" },
        { effect: "deny", command: "npm publish *" },
      ],
      "npm publish --tag x",
    ],
    [
      [
        { effect: "deny", command: "npm publish *" },
        { effect: "allow", command: "npm publish" },
      ],
      "npm publish",
    ],
    [
      [
        { effect: "deny", command: "*deploy*" },
        { effect: "allow", command: "make *" },
      ],
      "make re-deploy now",
    ],
    [
      [
        { effect: "deny", command: "curl *" },
        { effect: "allow", command: "npm *" },
      ],
      "npm test && sudo curl x.example",
    ],
    [[{ effect: "deny", command: "curl *" }], "bash -c 'curl x.example'"],
    [[{ effect: "deny", action: "execute" }], "ls"],
  ] as const)("a denial wins wherever it stands: %j for %j", async (rules, command) => {
    const { forCall, asked } = await gateFor(rules as readonly PolicyRule[], { permissions: "allow" });
    expect([(await forCall.command(command)).ok, asked]).toEqual([false, []]);
  });

  it.each(["codebuff trust --yes", "codebuff config set permissions allow", "codebuff --permissions allow x"])(
    "an agent that nobody watches does not open its own gate: %s",
    async (command) => {
      const { forCall } = await gateFor([], { permissions: "unattended" });
      expect((await forCall.command(command)).ok).toBe(false);
      expect((await forCall.command("codebuff trust --list")).ok).toBe(true);
    },
  );

  it("a rule that asks is asked for also where everything is allowed", async () => {
    const { forCall, asked } = await gateFor([{ effect: "ask", command: "make deploy *" }], { permissions: "allow" });
    expect((await forCall.command("make deploy now")).ok).toBe(false);
    expect(asked).toMatchObject([{ command: "make deploy now", reason: "a rule asks for it" }]);
  });
});

describe("rules for paths, hosts and tools", () => {
  it("an allowed path is edited without a question, its neighbour is asked for", async () => {
    const { forCall, asked } = await gateFor([{ effect: "allow", action: "edit", path: "src/**" }]);
    const edit = async (given: string) => {
      const opened = await forCall.open("write_file", given, "write");
      return opened.ok ? forCall.approve({ tool: "write_file", opened: [opened], diff: "" }) : opened;
    };
    expect((await edit("src/a.ts")).ok).toBe(true);
    expect(asked).toEqual([]);
    expect((await edit("other.ts")).ok).toBe(false);
    expect(asked).toMatchObject([{ action: "edit", paths: ["other.ts"] }]);
  });

  it("a link out of an allowed folder is not covered, and a link to a denied file is denied", async () => {
    const rules: PolicyRule[] = [
      { effect: "allow", path: "src/**" },
      { effect: "deny", path: "private/**" },
    ];
    const { forCall, root } = await gateFor(rules, { files: { "src/a.ts": "a", "private/b.ts": "b" } });
    writeFileSync(path.join(path.dirname(root), "outside.txt"), "x");
    symlinkSync("../../outside.txt", path.join(root, "src", "out.txt"));
    symlinkSync("../private/b.ts", path.join(root, "src", "in.ts"));
    expect((await forCall.open("read_files", "src/a.ts", "read")).ok).toBe(true);
    expect((await forCall.open("read_files", "src/out.txt", "read")).ok).toBe(false);
    expect((await forCall.open("read_files", "src/in.ts", "read")).ok).toBe(false);
  });

  it("a pattern opens no secrets; a file's own name does", async () => {
    const files = { ".env": "KEY=1", "src/a.ts": "a" };
    const wide = await gateFor([{ effect: "allow", path: "**" }], { files });
    expect((await wide.forCall.open("read_files", ".env", "read")).ok).toBe(false);
    const named = await gateFor([{ effect: "allow", path: ".env" }], { files });
    expect((await named.forCall.open("read_files", ".env", "read")).ok).toBe(true);
  });

  it.each([
    ["docs.example.com", "https://docs.example.com/a", true],
    ["*.example.com", "https://docs.example.com/a", true],
    ["*.example.com", "https://example.com.evil.net/a", false],
    ["*.example.com", "https://notexample.com/a", false],
    ["docs.example.com", "https://docs.example.com@evil.net/a", false],
    ["docs.example.com", "https://evil.net/docs.example.com", false],
  ])("the host %j for %j after words of strangers: %s", async (host, url, expected) => {
    const { forCall } = await gateFor([{ effect: "allow", host }], { outside: new Set(["a page"]) });
    expect((await forCall.fetch(`${url}?q=${"x".repeat(80)}`)).ok).toBe(expected);
  });

  it("a denied host is not read, a tool of an MCP server is covered by its name", async () => {
    const rules: PolicyRule[] = [
      { effect: "deny", host: "*.evil.net" },
      { effect: "allow", action: "mcp", tool: "shop__list" },
      { effect: "deny", tool: "shop__pay*" },
    ];
    const { forCall } = await gateFor(rules);
    expect((await forCall.fetch("https://a.evil.net/")).ok).toBe(false);
    const foreign = { effect: "writes", isForeign: true } as const;
    expect((await forCall.tool("shop__list", foreign)).ok).toBe(true);
    expect((await forCall.tool("shop__list_all", foreign)).ok).toBe(false);
    expect((await forCall.tool("shop__pay_now", { effect: "reads", isForeign: true })).ok).toBe(false);
  });
});

describe("what always would write down", () => {
  it.each([
    ["npm run build -- --fast", [{ effect: "allow", command: "npm run build *" }]],
    ["make deploy", [{ effect: "allow", command: "make deploy *" }]],
    ["git push origin main", [{ effect: "allow", command: "git push origin main" }]],
    ["rm -rf ../build-cache", [{ effect: "allow", command: "rm -rf ../build-cache" }]],
    [
      "npm test && make build",
      [
        { effect: "allow", command: "npm test *" },
        { effect: "allow", command: "make build *" },
      ],
    ],
    ["python3 -c 'print(1)'", [{ effect: "allow", command: "python3 -c 'print(1)'" }]],
    ["echo x > a.txt", []],
    ["npm test $EXTRA", []],
    ["rm *.log", []],
    ["sudo make install", []],
  ])("%j: %j", async (command, rules) => {
    const { forCall, asked } = await gateFor([], { remember: async () => undefined });
    await forCall.command(command);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.rules).toEqual(rules);
    for (const rule of rules) expect(PolicyRule.safeParse(rule).success).toBe(true);
  });

  it.each(["session", "project", "everywhere"] as const)(
    "always for the %s holds for the next call of the run",
    async (scope) => {
      const kept: unknown[] = [];
      const { forCall, gate, asked } = await gateFor([], {
        answer: { decision: "always", scope },
        remember: async (rules, where) => void kept.push([rules, where]),
      });
      expect((await forCall.command("npm run build")).ok).toBe(true);
      expect((await gate.forCall(call).command("npm run build --fast")).ok).toBe(true);
      expect(asked).toHaveLength(1);
      expect(kept).toEqual(scope === "session" ? [] : [[[{ effect: "allow", command: "npm run build *" }], scope]]);
    },
  );

  it("nothing is offered for longer than a session where nobody writes it down", async () => {
    const { forCall, asked } = await gateFor([]);
    await forCall.command("npm run build");
    expect(asked[0]?.rules).toEqual([]);
  });

  it("a switch of the mode holds for the next call, whoever keeps it", async () => {
    const live = { writes: "allowed", permissions: "default" } as ConstructorParameters<typeof Gate>[0]["live"] &
      object;
    const { forCall, asked } = await gateFor([], { live });
    expect((await forCall.command("make build")).ok).toBe(false);
    expect(asked).toHaveLength(1);
    live.permissions = "allow";
    expect((await forCall.command("make build")).ok).toBe(true);
    live.writes = "denied";
    expect((await forCall.open("write_file", "src/a.ts", "write")).ok).toBe(false);
  });
});

it.each([
  [{ effect: "allow", command: "*" }, "only be the last word"],
  [{ effect: "allow", command: "npm * --force" }, "only be the last word"],
  [{ effect: "allow", command: "npm test*" }, "only be the last word"],
  [{ effect: "allow", command: "bash *" }, "would allow everything"],
  [{ effect: "allow", command: "/usr/bin/env *" }, "would allow everything"],
  [{ effect: "allow" }, "names a tool"],
  [{ effect: "allow", action: "execute" }, "names a tool"],
  [{ effect: "allow", path: "a", command: "b" }, "not about two"],
  [{ effect: "allow", action: "edit", command: "b" }, "has the action execute"],
  [{ effect: "deny", host: "https://x.example/a" }, "without protocol"],
  [{ effect: "allow", comand: "npm test" }, "comand"],
])("a rule that cannot be meant is refused: %j", (rule, message) => {
  expect(JSON.stringify(PolicyRule.safeParse(rule).error?.issues)).toContain(message);
});
