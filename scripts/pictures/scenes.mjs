/** What each picture shows: the files, what the model says, what the person does. */

const call = (name, input) => ({ name, input, native: true });
const xml = (name, params) =>
  `<${name}>\n${Object.entries(params)
    .map(([key, value]) => `<${key}>${value}</${key}>\n`)
    .join("")}</${name}>`;

const project = {
  "package.json": '{ "name": "lines", "scripts": { "test": "node --test" } }\n',
  "src/lines.mjs": 'export const lines = (text) => text.split("\\n").slice(0, -1);\n',
  "src/lines.test.mjs":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { lines } from "./lines.mjs";\ntest("keeps the last line", () => assert.deepEqual(lines("a\\nb"), ["a", "b"]));\n',
};

const answer = `The last line was lost when the text had no newline at its end. Now:

\`\`\`js
export const lines = (text) => text.replace(/\\n$/, "").split("\\n");
\`\`\`

| text | before | after |
|:---|---:|---:|
| \`a\\nb\` | 1 | **2** |
| \`a\\nb\\n\` | 2 | 2 |
`;

const edit = call("str_replace", {
  path: "src/lines.mjs",
  replacements: [{ old: 'text.split("\\n").slice(0, -1)', new: 'text.replace(/\\n$/, "").split("\\n")' }],
});

const mend = {
  conversations: [
    { match: { firstUser: "run the tests" }, turns: [{ text: "One test fails.", times: "always" }] },
    {
      turns: [
        {
          parts: [
            { reasoning: "The split drops the last element." },
            { text: "I run the tests first.\n" },
            {
              tool: call("spawn_agents", {
                agents: [{ agent_type: "commander", prompt: "run the tests", params: { command: "npm test" } }],
              }),
            },
          ],
        },
        { text: "It is `slice(0, -1)`.\n", tools: [edit] },
        { tools: [call("run_terminal_command", { command: "npm test 2>&1 | grep -E '^# (pass|fail)'" })] },
        { text: answer, times: "always" },
      ],
    },
  ],
};

const question = {
  questions: [
    {
      question: "Where should the sessions be kept?",
      options: [
        { label: "SQLite", description: "one file, nothing to install" },
        { label: "Postgres", description: "several servers, one database" },
        { label: "Memory", description: "gone with the process" },
      ],
    },
  ],
};

/** A small project: its tests fail, are mended, and pass. */
const agentTask = {
  pace: { chars: 30, delayMs: 5 },
  conversations: [
    {
      match: { system: "Codebuff in agent mode" },
      turns: [
        {
          text: `I make a plan first.\n${xml("add_subgoal", { id: "1", objective: "see which tests fail", status: "IN_PROGRESS" })}`,
        },
        {
          text: `${xml("add_subgoal", { id: "2", objective: "mend lines.mjs", status: "NOT_STARTED" })}\nNow the tests.\n${xml("run_terminal_command", { command: "npm test 2>&1 | grep -E '^# (pass|fail)'", yield_seconds: "20" })}`,
        },
        {
          text: `One fails: the last line is dropped.\n${xml("update_subgoal", { id: "1", status: "COMPLETE" })}\n${xml("update_subgoal", { id: "2", status: "IN_PROGRESS" })}\n${xml("write_file", { path: "src/lines.mjs", instructions: "mend", content: 'export const lines = (text) => text.replace(/\\n$/, "").split("\\n");\n' })}`,
        },
        {
          text: `And again.\n${xml("run_terminal_command", { command: "npm test 2>&1 | grep -E '^# (pass|fail)'; sleep 4", yield_seconds: "20" })}`,
        },
        { text: "All tests pass now.\n<end_turn></end_turn>", times: "always" },
      ],
    },
  ],
};

export const scenes = {
  chat: {
    script: mend,
    files: project,
    flags: ["--permissions", "allow"],
    rows: 42,
    async go(terminal) {
      terminal.type("why is the last line missing?\r");
      await terminal.shows("% context");
    },
  },
  light: {
    script: mend,
    files: project,
    flags: ["--permissions", "allow"],
    rows: 42,
    light: true,
    async go(terminal) {
      terminal.type("why is the last line missing?\r");
      await terminal.shows("% context");
    },
  },
  permission: {
    script: { conversations: [{ turns: [{ text: "It is `slice(0, -1)`.\n", tools: [edit] }, { text: "Mended." }] }] },
    files: project,
    rows: 22,
    async go(terminal) {
      terminal.type("mend it\r");
      await terminal.shows("Allow once");
    },
  },
  question: {
    script: { conversations: [{ turns: [{ text: "One thing first.\n", tools: [call("ask_user", question)] }] }] },
    files: project,
    rows: 16,
    async go(terminal) {
      terminal.type("keep the sessions\r");
      await terminal.shows("Where should");
    },
  },
  "agent-mode": {
    script: agentTask,
    files: project,
    flags: ["--permissions", "allow"],
    rows: 34,
    async go(terminal) {
      terminal.type("/agent make the tests pass\r");
      await terminal.shows(/And again[\s\S]*● run_terminal_command/);
      await new Promise((resolve) => setTimeout(resolve, 1500));
    },
  },
};
