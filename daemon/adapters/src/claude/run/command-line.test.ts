import { expect, test } from "vitest";
import type { OpenOptions } from "../../adapter.ts";
import { commandLine } from "./command-line.ts";

const options = (more: Partial<OpenOptions> = {}): OpenOptions => ({
  sessionId: "s1",
  directory: "/work",
  permissionMode: "default",
  env: {},
  mcp: {},
  agentOptions: {},
  ...more,
});
const argsOf = (more: Partial<OpenOptions> = {}, isRoot = false) =>
  commandLine({ begin: "u-1" }, options(more), isRoot).args;

test("a plain session is kept open, streams, and asks over its pipes", () => {
  expect(argsOf()).toEqual([
    "--print",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    "--include-partial-messages",
    "--permission-prompt-tool=stdio",
    "--forward-subagent-text",
    "--session-id=u-1",
    "--permission-mode=manual",
    "--allow-dangerously-skip-permissions",
  ]);
});

test("every flag has its value in the same word", () => {
  const args = argsOf({
    model: "sonnet",
    variant: "high",
    systemPrompt: "Be brief, and --print nothing",
    agentOptions: { agent: "Explore", addDirectories: ["/a", "/b"], disallowedTools: ["WebFetch", "Bash(git *)"] },
  });
  expect(args).toEqual(
    expect.arrayContaining([
      "--model=sonnet",
      "--effort=high",
      "--append-system-prompt=Be brief, and --print nothing",
      "--agent=Explore",
      "--add-dir=/a",
      "--add-dir=/b",
      "--disallowedTools=WebFetch,Bash(git *)",
    ]),
  );
  expect(args.every((arg) => arg.startsWith("--"))).toBe(true);
});

test("a known conversation is resumed and never begun again", () => {
  const { args } = commandLine({ resume: "u-1" }, options(), false);
  expect(args).toContain("--resume=u-1");
  expect(args.some((arg) => arg.startsWith("--session-id"))).toBe(false);
});

test("root may skip permissions only when that is asked for", () => {
  const allows = "--allow-dangerously-skip-permissions";
  expect(argsOf({}, true)).not.toContain(allows);
  expect(argsOf({ permissionMode: "bypass" }, true)).toEqual(
    expect.arrayContaining([allows, "--permission-mode=bypassPermissions"]),
  );
});

test("planning wins over the permission mode, because it lets less happen", () => {
  expect(argsOf({ agentMode: "plan", permissionMode: "bypass" })).toContain("--permission-mode=plan");
});

test("secrets of MCP servers go by the environment, not by the arguments", () => {
  const { args, env } = commandLine(
    { begin: "u-1" },
    options({
      mcp: {
        files: { command: "/bin/files", args: ["-v"], env: { KEY: "secret-1" } },
        web: { url: "http://127.0.0.1:1/mcp", headers: { Authorization: "Bearer secret-2" } },
      },
    }),
    false,
  );
  expect(args.join(" ")).not.toContain("secret");
  expect(env).toEqual({ MUSTER_MCP_1: "secret-1", MUSTER_MCP_2: "Bearer secret-2" });
  const config = args.find((arg) => arg.startsWith("--mcp-config="))?.slice("--mcp-config=".length) ?? "";
  expect(JSON.parse(config)).toEqual({
    mcpServers: {
      files: { type: "stdio", command: "/bin/files", args: ["-v"], env: { KEY: "$" + "{MUSTER_MCP_1}" } },
      web: { type: "http", url: "http://127.0.0.1:1/mcp", headers: { Authorization: "$" + "{MUSTER_MCP_2}" } },
    },
  });
  expect(args).toContain("--strict-mcp-config");
});
