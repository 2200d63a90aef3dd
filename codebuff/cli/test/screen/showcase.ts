import { call, type ScreenOptions } from "./screen-world.ts";

const answer = `The parser lost the **last** line; \`split\` leaves it out when there is no newline at the end.

\`\`\`ts
export function lines(text: string): string[] {
  // An empty text has no line.
  return text === "" ? [] : text.replace(/\\n$/, "").split("\\n");
}
\`\`\`

| case | before | after |
|:---|---:|---:|
| no newline at the end | 1 | 2 |
| empty text | 1 | 0 |

- the helper is **shared** now, see [the parser](src/parse.ts)
- tests cover both cases
  1. with a newline
  2. without one
`;

/** One of everything: thoughts, todos, a sub-agent, an edit, a command that fails, Markdown with code and a table. */
export const showcase: ScreenOptions = {
  files: { "src/parse.ts": 'export const lines = (text: string) => text.split("\\n").slice(0, -1);\n', "a.txt": "1\n" },
  script: {
    conversations: [
      {
        name: "commander",
        match: { firstUser: "list the sources" },
        turns: [{ text: "There is src/parse.ts.", times: "always" }],
      },
      {
        name: "root",
        turns: [
          {
            parts: [
              { reasoning: "The last line is missing, so the split is the place to look at." },
              { text: "I look for the parser first.\n" },
              {
                tool: call("write_todos", {
                  todos: [
                    { task: "find the parser", completed: true },
                    { task: "mend it", completed: false },
                  ],
                }),
              },
            ],
          },
          {
            tools: [
              call("spawn_agents", {
                agents: [{ agent_type: "commander", prompt: "list the sources", params: { command: "ls src" } }],
              }),
            ],
          },
          {
            text: "Found. Now the change.\n",
            tools: [
              call("str_replace", {
                path: "src/parse.ts",
                replacements: [{ old: ".slice(0, -1)", new: '.filter((line) => line !== "")' }],
              }),
            ],
          },
          { tools: [call("run_terminal_command", { command: "echo 1 passed; echo 1 failed; exit 1" })] },
          { text: answer },
        ],
      },
    ],
  },
};
