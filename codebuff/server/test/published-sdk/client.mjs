// Runs the published SDK once and prints callbacks and result as JSON lines. argv[2] = JSON options.
// It is copied next to the SDK, so that its imports are found there.
import { CodebuffClient, getCustomToolDefinition } from "@codebuff/sdk";
import { z } from "zod/v4";

const o = JSON.parse(process.argv[2]);
const out = (x) => process.stdout.write(JSON.stringify(x) + "\n");
const t0 = Date.now();

const agent = {
  id: "my-agent",
  model: "anthropic/claude-sonnet-4",
  displayName: "My Agent",
  systemPrompt: "You are a test agent.",
  instructionsPrompt: "Do what is asked.",
  spawnableAgents: ["sub-agent"],
  toolNames: [
    "read_files",
    "write_file",
    "str_replace",
    "run_terminal_command",
    "code_search",
    "glob",
    "list_directory",
    "spawn_agents",
    "write_todos",
    "ask_user",
    "web_search",
    "set_output",
    "end_turn",
    "think_deeply",
    "read_subtree",
    ...(o.custom ? ["my_tool"] : []),
  ],
  ...o.agent,
};
if (o.handleSteps) agent.handleSteps = new Function("return " + o.handleSteps)();
const sub = (id, extra) => ({
  id,
  model: "anthropic/claude-sonnet-4",
  displayName: "Sub Agent",
  toolNames: ["end_turn"],
  instructionsPrompt: "sub " + id,
  spawnerPrompt: "delegate",
  inputSchema: { prompt: { type: "string", description: "x" } },
  ...extra,
});
const agents = [agent, sub("sub-agent"), ...(o.subs ?? []).map((s) => sub(s.id, s))];

const ac = new AbortController();
const abort = () => {
  out({ note: "abort()" });
  ac.abort();
};
let chunks = 0;
const options = {
  apiKey: o.key ?? "cb-test-000",
  cwd: o.cwd,
  projectFiles: o.projectFiles,
  agentDefinitions: agents,
  maxAgentSteps: o.maxAgentSteps ?? 10,
  handleEvent: (event) => {
    out({ cb: "handleEvent", event });
    if (o.abortOn === event.type) setTimeout(abort, 200);
  },
  handleStreamChunk: (chunk) => {
    out({ cb: "handleStreamChunk", chunk });
    if (o.abortAfter && ++chunks === o.abortAfter) abort();
  },
  fileFilter: o.allowAll ? () => ({ status: "allow" }) : undefined,
  overrideTools: o.override
    ? {
        ask_user: async (input) => {
          out({ note: "overrideTools.ask_user", input });
          return [{ type: "json", value: { answers: [{ questionIndex: 0, selectedOption: "Red" }] } }];
        },
        run_terminal_command: async (input) => {
          out({ note: "overrideTools.run_terminal_command", input });
          return [
            { type: "json", value: { command: input.command, stdout: "from override", stderr: "", exitCode: 0 } },
          ];
        },
      }
    : undefined,
  customToolDefinitions: o.custom
    ? [
        getCustomToolDefinition({
          toolName: "my_tool",
          description: "mine",
          inputSchema: z.object({ q: z.string() }),
          exampleInputs: [{ q: "x" }],
          execute: async (input) => {
            out({ note: "custom execute", input });
            if (o.customThrows) throw new Error("kaboom");
            return [{ type: "json", value: { answer: 42 } }];
          },
        }),
      ]
    : undefined,
};
const shape = (r) => {
  const m = r.sessionState?.mainAgentState;
  return {
    keys: Object.keys(r),
    output: r.output,
    sessionKeys: r.sessionState && Object.keys(r.sessionState),
    mainAgentState: m && {
      keys: Object.keys(m),
      agentId: m.agentId,
      runId: m.runId,
      stepsRemaining: m.stepsRemaining,
      creditsUsed: m.creditsUsed,
      directCreditsUsed: m.directCreditsUsed,
      contextTokenCount: m.contextTokenCount,
      output: m.output,
      messageHistory: m.messageHistory,
    },
  };
};
try {
  const client = new CodebuffClient(options);
  if (o.check) out({ note: "checkConnection", value: await client.checkConnection() });
  let r = await client.run({ agent: o.agentId ?? "my-agent", prompt: o.prompt ?? "hello", signal: ac.signal });
  out({ result: shape(r), ms: Date.now() - t0, jsonBytes: JSON.stringify(r).length });
  if (o.second) {
    out({ note: "second run with previousRun" });
    r = await client.run({
      agent: o.agentId ?? "my-agent",
      prompt: o.second,
      previousRun: JSON.parse(JSON.stringify(r)),
    });
    out({ result: shape(r), ms: Date.now() - t0 });
  }
} catch (e) {
  out({ thrown: { name: e?.name, message: e?.message, statusCode: e?.statusCode }, ms: Date.now() - t0 });
}
out({ blocked: globalThis.__blocked ?? [] });
process.exit(0);
