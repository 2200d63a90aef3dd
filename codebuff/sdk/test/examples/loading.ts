// What is loaded from disk, what may be read, and what the project knows.
import { spawn } from "node:child_process";
import fs from "node:fs";
import {
  CodebuffClient,
  generateInitialRunState,
  initialSessionState,
  loadLocalAgents,
  loadMCPConfig,
  loadSkills,
  validateAgents,
  withAdditionalMessage,
  withMessageHistory,
} from "@muster/codebuff-sdk";

const print = (...words: unknown[]) => void process.stdout.write(`${words.join(" ")}\n`);

const agents = await loadLocalAgents({ agentsPath: "./my-agents", verbose: true });
for (const agent of Object.values(agents)) print("agent", agent.id, agent._sourceFilePath.endsWith("mine.ts"));
const checked = await loadLocalAgents({ agentsPath: "./my-agents", validate: true });
print("valid", Object.keys(checked.agents).length, checked.validationErrors.length);
print("validated", (await validateAgents(Object.values(agents))).success);
print(
  "mcp",
  Object.keys((await loadMCPConfig({ verbose: false })).mcpServers).length,
  "skills",
  Object.keys(await loadSkills()).length,
);

const client = new CodebuffClient({
  apiKey: process.env.CODEBUFF_API_KEY,
  cwd: `${process.cwd()}/my-agents`,
  fsSource: () => fs.promises,
  spawnSource: spawn,
  fileFilter: (filePath) => {
    if (filePath === ".env") return { status: "blocked" };
    if (filePath.endsWith(".env.example")) return { status: "allow-example" };
    return { status: "allow" };
  },
});
const state = await initialSessionState({ cwd: process.cwd(), projectFiles: { "src/index.ts": "print('hi')" } });
print("tree", state.fileContext.fileTree.length);
let runState = await generateInitialRunState({ cwd: process.cwd(), fs: fs.promises });
runState = withAdditionalMessage({ runState, message: { role: "user", content: [{ type: "text", text: "earlier" }] } });
runState = withMessageHistory({ runState, messages: runState.sessionState?.mainAgentState.messageHistory ?? [] });
const result = await client.run({
  agent: "mine",
  agentDefinitions: Object.values(agents),
  prompt: "Hello",
  previousRun: runState,
  knowledgeFiles: { "knowledge.md": "# Guidelines" },
  userKnowledgeFiles: { "~/.knowledge.md": "# Preferences" },
  maxAgentSteps: 20,
});
print("output", result.output.type);
