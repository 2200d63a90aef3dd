import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { outputError, PolicyRule } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { Gate, openProject, type PermissionRequest, Permissions } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

const gateFor = async (root: string, options: Partial<ConstructorParameters<typeof Gate>[0]> = {}) =>
  new Gate({ project: await openProject(root), ...options }).forCall(call);

const call = { toolCallId: "call-1", runId: "run-1", agentId: "main-agent", signal: new AbortController().signal };
const once = async () => ({ decision: "once" as const });

type Effect = "allow" | "ask" | "deny";
const levels = (row: string): Record<Permissions, Effect> => {
  const [d, e, k, u, s, a, n] = row.trim().split(/\s+/) as Effect[];
  return { default: d, "accept-edits": e, ask: k, unattended: u, sandboxed: s, allow: a, deny: n } as Record<
    Permissions,
    Effect
  >;
};

/** One row per kind of command: what each level of permission makes of it, where the kernel offers no sandbox. */
const commandTable: readonly [command: string, row: Record<Permissions, Effect>][] = [
  //                                default accept-edits ask unattended sandboxed allow deny
  ["git log --oneline", levels("    allow   allow   allow  allow  allow  allow  allow")],
  ["npm test", levels("             ask     ask     allow  allow  deny   allow  allow")],
  ["rm -rf src", levels("           ask     ask     allow  allow  deny   allow  allow")],
  ["echo x > a.txt", levels("       ask     ask     allow  allow  deny   allow  allow")],
  ["cat /etc/hosts", levels("       ask     ask     ask    allow  allow  allow  deny")],
  ["rm -rf ../other", levels("      ask     ask     ask    deny   deny   allow  deny")],
  ["git push --force", levels("     ask     ask     ask    deny   deny   allow  deny")],
  ["mkfs.ext4 /dev/sda", levels("   ask     ask     ask    deny   deny   allow  deny")],
  ["cat .env", levels("             ask     ask     ask    deny   deny   deny   deny")],
];

test.each(
  commandTable.flatMap(([command, row]) => Permissions.options.map((level) => [command, level, row[level]] as const)),
)("the command %j with permissions %j: %s", async (command, permissions, expected) => {
  const { root } = await projectFixture();
  const asked: PermissionRequest[] = [];
  const ask = async (request: PermissionRequest) => {
    asked.push(request);
    return { decision: "once" as const };
  };
  const verdict = await (await gateFor(root, { permissions, ask })).command(command);
  expect(asked.length > 0 ? "ask" : verdict.ok ? "allow" : "deny").toBe(expected);
});

/** One row per kind of path, to write to; reading is the same where edits are not asked for as such. */
const pathTable: readonly [given: string, row: Record<Permissions, Effect>][] = [
  //                           default accept-edits ask unattended sandboxed allow deny
  ["src/a.ts", levels("        ask     allow   allow  allow  allow  allow  allow")],
  ["new/b.ts", levels("        ask     allow   allow  allow  allow  allow  allow")],
  ["../other.txt", levels("    ask     ask     ask    deny   deny   allow  deny")],
  ["/etc/hosts", levels("      ask     ask     ask    deny   deny   allow  deny")],
  [".env", levels("            deny    deny    deny   deny   deny   deny   deny")],
  ["certs/server.pem", levels("deny    deny    deny   deny   deny   deny   deny")],
  [".env.example", levels("    ask     allow   allow  allow  allow  allow  allow")],
];

test.each(pathTable.flatMap(([given, row]) => Permissions.options.map((level) => [given, level, row[level]] as const)))(
  "the path %j with permissions %j: %s",
  async (given, permissions, expected) => {
    const { root } = await projectFixture({ "src/a.ts": "a" });
    for (const use of ["read", "write"] as const) {
      let asked = 0;
      const ask = async () => {
        asked += 1;
        return { decision: "once" as const };
      };
      const gate = await gateFor(root, { permissions, ask });
      const opened = await gate.open("write_file", given, use);
      // An edit is asked for when there is a diff to show.
      if (use === "write" && opened.ok) await gate.approve({ tool: "write_file", opened: [opened], diff: "" });
      const isPlainRead =
        use === "read" && permissions === "default" && !given.startsWith("..") && !given.startsWith("/");
      const wanted = isPlainRead && expected === "ask" ? "allow" : expected;
      expect(asked > 0 ? "ask" : opened.ok ? "allow" : "deny").toBe(wanted);
    }
  },
);

/** Rules of the user against what they are about. */
const rules: readonly PolicyRule[] = [
  { effect: "deny", tool: "code_search" },
  { effect: "deny", path: "vendor/**" },
  { effect: "allow", path: "vendor/ours/**" },
  { effect: "allow", tool: "read_files", path: "certs/public.pem" },
  { effect: "deny", tool: "write_file", path: "*.lock" },
  { effect: "deny", command: "npm publish*", reason: "releases are made by CI" },
  { effect: "allow", command: "npm *" },
  { effect: "ask", host: "*.example.com" },
  { effect: "allow", command: "rm -rf ../build-cache" },
  { effect: "ask", command: "make deploy" },
];

test.each([
  ["tool", "code_search", "", false],
  ["tool", "glob", "", true],
  ["path", "read_files", "vendor/x.js", false],
  ["path", "read_files", "vendor/ours/x.js", false],
  ["path", "read_files", "certs/public.pem", true],
  ["path", "write_file", "certs/public.pem", false],
  ["path", "write_file", "a.lock", false],
  ["path", "read_files", "a.lock", true],
  ["command", "", "npm test", true],
  ["command", "", "npm publish", false],
  ["command", "", "npm test && rm -rf /", false],
  ["command", "", "rm -rf ../build-cache", true],
  ["command", "", "rm -rf ../build-cache2", false],
  ["command", "", "rm -rf ../build-cache > /etc/x", false],
  ["command", "", "make deploy", false],
] as const)("a rule about a %s decides: %s %j is allowed: %s", async (kind, tool, subject, expected) => {
  const { root } = await projectFixture();
  const gate = await gateFor(root, { rules });
  const verdict =
    kind === "tool"
      ? await gate.tool(tool)
      : kind === "path"
        ? await gate.open(tool, subject, tool === "write_file" ? "write" : "read")
        : await gate.command(subject);
  expect(verdict.ok).toBe(expected);
});

test.each([
  ["default", "ask"],
  ["accept-edits", "ask"],
  ["ask", "ask"],
  ["unattended", "allow"],
  ["sandboxed", "allow"],
  ["allow", "allow"],
  ["deny", "deny"],
] as const)("with %s a tool of an MCP server that does not say it only reads: %s", async (permissions, expected) => {
  const { root } = await projectFixture();
  const asked: string[] = [];
  const gate = await gateFor(root, {
    permissions,
    ask: async ({ action, tool }) => {
      asked.push(`${action} ${tool}`);
      return { decision: "once" as const };
    },
  });
  const call = gate.forCall({ toolCallId: "c", runId: "r", agentId: "a", signal: new AbortController().signal });
  expect((await call.tool("demo__order", { effect: "writes", isForeign: true })).ok).toBe(expected !== "deny");
  expect(asked).toEqual(expected === "ask" ? ["mcp demo__order"] : []);
  // What says that it only reads, and what the embedding program brought itself, is not asked for.
  expect((await call.tool("demo__look", { effect: "reads", isForeign: true })).ok).toBe(true);
  expect((await call.tool("ours", { effect: "writes" })).ok).toBe(true);
  expect(asked).toHaveLength(expected === "ask" ? 1 : 0);
});

test("of two rules that fit the last one counts, and its reason is told", async () => {
  const { root } = await projectFixture();
  const gate = await gateFor(root, { rules: [{ effect: "allow", command: "npm *" }, ...rules.slice(5, 6)] });
  expect(await gate.command("npm publish --tag next")).toEqual({
    ok: false,
    message: "Denied by policy: releases are made by CI",
  });
});

test.each([
  "sudo npm publish",
  "env A=1 npm  publish",
  "bash -c 'npm publish'",
  "/usr/bin/npm publish",
  "true; npm publish",
])("a rule that denies a command is not passed by writing it as %j", async (command) => {
  const { root } = await projectFixture();
  const gate = await gateFor(root, { permissions: "allow", rules: [{ effect: "deny", command: "npm publish*" }] });
  expect(await gate.command(command)).toMatchObject({ ok: false });
});

test("a rule that asks opens even a secret path when a person says yes, and a person who cannot answer says no", async () => {
  const { root } = await projectFixture({ ".env": "" });
  const asking: PolicyRule[] = [{ effect: "ask", path: ".env" }];
  expect((await (await gateFor(root, { rules: asking, ask: once })).open("read_files", ".env", "read")).ok).toBe(true);
  const broken = await gateFor(root, { rules: asking, ask: () => Promise.reject(new Error("gone")) });
  expect((await broken.open("read_files", ".env", "read")).ok).toBe(false);
});

test("a project below a directory with a secret name is not secret itself", async () => {
  const { root } = await projectFixture({ ".aws/proj/a.txt": "" });
  const gate = await gateFor(path.join(root, ".aws/proj"));
  expect((await gate.open("read_files", "a.txt", "read")).ok).toBe(true);
});

test("'always' of what destroys is remembered as written, 'deny' is told to the model, 'once' is asked again", async () => {
  const { root } = await projectFixture();
  const asked: string[] = [];
  const answers = ["once", "always", "deny"] as const;
  const ask = async ({ command = "" }: PermissionRequest) => {
    asked.push(command);
    return { decision: answers[asked.length - 1] ?? "deny" };
  };
  const gate = await gateFor(root, { permissions: "ask", ask });
  expect((await gate.command("rm -rf ../x")).ok).toBe(true);
  expect((await gate.command("rm -rf ../x")).ok).toBe(true);
  expect((await gate.command("npm test && rm -rf ../x")).ok).toBe(true);
  expect(await gate.command("rm -rf ../a")).toMatchObject({
    ok: false,
    message: expect.stringContaining("by the user"),
  });
  expect(asked).toEqual(["rm -rf ../x", "rm -rf ../x", "rm -rf ../a"]);
});

test("a chain is asked once for the parts not yet allowed, and 'always' holds for program and subcommand", async () => {
  const { root } = await projectFixture();
  const asked: (readonly string[])[] = [];
  const ask = async ({ parts = [] }: PermissionRequest) => {
    asked.push(parts.map((part) => part.key));
    return { decision: "always" as const };
  };
  const gate = await gateFor(root, { permissions: "default", ask });
  for (const command of [
    "npm run build && npm test | tee out.log",
    "npm test -- --watch=false",
    "git status && npm run build -- --fast; npm run lint",
    "sudo npm test",
    "node a.js && node b.js",
    "node a.js --again",
    "bash -c 'npm test && make all'",
    "python3 -c 'print(1)'",
    "python3 -c 'print(2)'",
    "npm run build > log.txt",
    "npm test && git push",
    "git push origin main",
    "git push --force",
  ]) {
    expect(await gate.command(command)).toMatchObject({ ok: true });
  }
  expect(asked).toEqual([
    ["npm run build", "npm test", "tee"],
    ["npm run lint"],
    ["sudo npm test"],
    ["node a.js", "node b.js"],
    ["make all"],
    ["python3 -c print(1)"],
    ["python3 -c print(2)"],
    ["> log.txt"],
    ["git push"],
    ["git push --force"],
  ]);
});

test.each([
  [`node -e "console.log(require('./')('2 weeks'))"`, ["node -e console.log(require('./')('2 weeks'))"]],
  [`node -e "require('./build')('a', '', '3')" && ls`, ["node -e require('./build')('a', '', '3')"]],
  [
    `python3 -c "import re; print(re.compile('rm -rf').pattern)"`,
    [`python3 -c import re; print(re.compile('rm -rf').pattern)`],
  ],
  ["npm test; exit 3", ["npm test"]],
])("%s: a text in a program is no command, and always names only what can come again", async (command, keys) => {
  const { root } = await projectFixture();
  const asked: (string[] | undefined)[] = [];
  const ask = async (request: PermissionRequest) => {
    asked.push(request.parts?.map((part) => part.key));
    return { decision: "once" as const };
  };
  const gate = await gateFor(root, { permissions: "default", ask });
  await gate.command(command);
  expect(asked).toEqual([keys]);
});

test("a text that a program gives to a shell is still judged as a command", async () => {
  const { root } = await projectFixture();
  const reasons: string[] = [];
  const ask = async ({ reason }: PermissionRequest) => {
    reasons.push(reason);
    return { decision: "deny" as const };
  };
  const gate = await gateFor(root, { permissions: "default", ask });
  await gate.command(`node -e "require('child_process').execSync('rm -rf /')"`);
  await gate.command(`python3 -c "import os; os.system('rm -rf /')"`);
  await gate.command(`perl -e 'system("rm -rf /")'`);
  for (const reason of reasons) expect(reason).toContain("destructive");
  expect(reasons).toHaveLength(3);
});

test("a rule that allows one command of a chain leaves the others to be asked", async () => {
  const { root } = await projectFixture();
  const asked: (readonly string[])[] = [];
  const ask = async ({ parts = [] }: PermissionRequest) => {
    asked.push(parts.map((part) => part.text));
    return { decision: "once" as const };
  };
  const gate = await gateFor(root, { permissions: "default", ask, rules: [{ effect: "allow", command: "npm *" }] });
  await gate.command("npm test && npm run build");
  await gate.command("npm test && make");
  expect(asked).toEqual([["make"]]);
});

test("a path outside that a person allowed is read", async () => {
  const { around, value } = await projectFixture({}, { permissions: "ask", ask: once });
  writeFileSync(path.join(around, "outside.txt"), "hello\n");
  expect(await value("read_files", { paths: ["../outside.txt"] })).toMatchObject([{ content: "hello\n" }]);
});

test("PLAN mode denies every writer by policy, also when a rule allows it", async () => {
  const files = { "a.txt": "alpha\n" };
  const allowAll: PolicyRule[] = [
    { effect: "allow", tool: "**" },
    { effect: "allow", path: "**" },
    { effect: "allow", command: "*" },
  ];
  const { root, output, hands } = await projectFixture(files, {
    writes: "denied",
    rules: allowAll,
    confinement: "table",
  });
  const writers: [string, Record<string, unknown>][] = [
    ["write_file", { path: "a.txt", instructions: "", content: "x" }],
    ["str_replace", { path: "a.txt", replacements: [{ old: "alpha", new: "x" }] }],
    ["apply_patch", { operation: { type: "delete_file", path: "a.txt" } }],
    ["create_plan", { path: "plan.md", plan: "x" }],
    ["run_file_change_hooks", { files: ["a.txt"] }],
  ];
  for (const [tool, input] of writers) expect(outputError(await output(tool, input))).toContain("PLAN mode");
  expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("alpha\n");
  expect(outputError(await output("read_files", { paths: ["a.txt"] }))).toBeUndefined();
  expect(
    outputError(await output("propose_write_file", { path: "a.txt", instructions: "", content: "x" })),
  ).toBeUndefined();
  expect((await hands.gate.command("git log --oneline")).ok).toBe(true);
  expect((await hands.gate.command("npm install")).ok).toBe(false);
  expect((await hands.gate.typed("x\n")).ok).toBe(false);
  hands.gate.switchTo({ writes: "allowed" });
  expect(outputError(await output("write_file", { path: "a.txt", instructions: "", content: "x" }))).toBeUndefined();
});

test("a custom tool that does not say it only reads is denied in PLAN mode", async () => {
  const ran: string[] = [];
  const tool = (name: string) => async () => {
    ran.push(name);
    return [];
  };
  const { output } = await projectFixture(
    {},
    {
      writes: "denied",
      customTools: {
        quiet: { execute: tool("quiet") },
        runner: { effect: "runs", execute: tool("runner") },
        reader: { effect: "reads", execute: tool("reader") },
      },
    },
  );
  expect(outputError(await output("quiet", {}))).toContain("PLAN mode");
  expect(outputError(await output("runner", {}))).toContain("PLAN mode");
  expect(outputError(await output("reader", {}))).toBeUndefined();
  expect(ran).toEqual(["reader"]);
});

test("text typed into a program is judged when it would destroy something", async () => {
  const { hands } = await projectFixture();
  expect((await hands.gate.typed("print(1)\n")).ok).toBe(true);
  expect((await hands.gate.typed("rm -rf /\n")).ok).toBe(false);
});

test("a link with a harmless name to a secret file is as blocked as the file", async () => {
  const { root, value } = await projectFixture({ ".env": "KEY=1\n", ".env.example": "KEY=\n" });
  symlinkSync(".env", path.join(root, "notes.txt"));
  expect(await value("read_files", { paths: [".env", "notes.txt", ".env.example"] })).toMatchObject([
    { path: ".env", content: "[BLOCKED]" },
    { path: "notes.txt", content: "[BLOCKED]" },
    { path: ".env.example", content: "[TEMPLATE]\nKEY=\n" },
  ]);
  for (const target of [".env", "notes.txt"]) {
    expect(await value("write_file", { path: target, instructions: "", content: "x" })).toMatchObject({
      errorMessage: expect.stringContaining("secrets"),
    });
  }
  expect(readFileSync(path.join(root, ".env"), "utf8")).toBe("KEY=1\n");
});

test("a rule needs a subject, and only one", () => {
  expect(PolicyRule.safeParse({ effect: "deny" }).success).toBe(false);
  expect(PolicyRule.safeParse({ effect: "deny", path: "a", command: "b" }).success).toBe(false);
});
