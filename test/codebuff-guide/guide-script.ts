import type { ScriptInput } from "@muster/scripted-llm";

const tool = (name: string, input: object) => ({ name, native: true, input: input as Record<string, unknown> });
const write = (path: string, content: string) => tool("write_file", { path, instructions: "write it", content });

/** What the model says to the prompts of the guide; a prompt that stands in no row fails its page. */
export const guideScript: ScriptInput = {
  conversations: [
    // getting-started.md
    ...answers({ "what did you change": "I corrected one word in greet.mjs.", "thank you": "You are welcome." }),
    {
      match: { user: "fix the typo" },
      turns: [
        { tools: [tool("read_files", { paths: ["greet.mjs"] })] },
        {
          tools: [tool("str_replace", { path: "greet.mjs", replacements: [{ old: "Helo", new: "Hello" }] })],
        },
        { text: "The greeting says Hello now." },
      ],
    },
    // headless.md
    ...answers({ "what does parse.mjs do": "It splits a text at commas.", "and with quotes": "It knows no quotes." }),
    {
      match: { user: "look twice" },
      turns: [{ tools: [tool("list_directory", { path: "." })], times: "always" }],
    },
    {
      match: { user: "wait for me" },
      turns: [{ tools: [tool("run_terminal_command", { command: "sleep 30" })] }, { text: "Never." }],
    },
    { match: { user: "how risky" }, turns: [{ tools: [tool("set_output", { risk: "low" })] }, { text: "Low." }] },
    {
      match: { user: "write notes.md" },
      turns: [{ tools: [write("notes.md", "Remember the milk.\n")] }, { text: "Well." }],
    },
    // server.md
    ...answers({ "what is this project": "A shop." }),
    // ci.md
    ...answers({ "Review this change": "price.mjs:1 multiplies, and nobody tests it." }),
    // commands.md
    {
      match: { user: "Review the newest commit" },
      turns: [{ expect: { body: "price list" }, text: "The price list is fine." }],
    },
    // hooks.md
    {
      match: { user: "publish and tidy" },
      each: "prompt",
      turns: [
        {
          tools: [
            tool("run_terminal_command", { command: "git push --force --dry-run" }),
            write("price.txt", "  12  \n\n"),
          ],
        },
        { text: "Well." },
      ],
    },
    {
      match: { user: "write sum.mjs" },
      turns: [{ tools: [write("sum.mjs", "export const sum = (a, b) => a + b;\n")] }, { text: "Written." }],
    },
    {
      match: { user: "write it again" },
      turns: [
        { tools: [write("sum.mjs", "export const sum = (...all) => all.length;\n")] },
        { expect: { toolResult: "sound" }, text: "Written." },
      ],
    },
    // mcp.md
    {
      match: { user: "which year" },
      turns: [{ tools: [tool("clock__year", {})] }, { expect: { toolResult: "It is 2026" }, text: "It is 2026." }],
    },
    // skills.md
    {
      match: { user: "write an entry" },
      turns: [
        { tools: [tool("skill", { name: "changelog" })] },
        { expect: { toolResult: "newest first" }, text: "Adds a price list." },
      ],
    },
    // knowledge.md
    {
      match: { user: "how are prices kept" },
      turns: [{ expect: { body: "Prices are whole cents" }, text: "In whole cents, as AGENTS.md says." }],
    },
    // agents.md
    {
      match: { user: "for version 2" },
      turns: [
        {
          expect: { body: "price list" },
          tools: [
            tool("spawn_agents", { agents: [{ agent_type: "proof-reader", prompt: "There is a price list now." }] }),
          ],
        },
        { text: "There is a price list now." },
      ],
    },
    {
      match: { user: "There is a price list now", offersTool: "set_output" },
      turns: [{ tools: [tool("set_output", { mistakes: [] })] }, { text: "None." }],
    },
    // sdk.md
    {
      match: { user: "what is in package.json" },
      turns: [{ tools: [tool("read_files", { paths: ["package.json"] })] }, { text: "A name." }],
    },
    ...answers({ "and in one word": "Name." }),
    {
      match: { user: "count to a hundred" },
      turns: [{ pace: { chars: 2, delayMs: 20 }, text: "1 2 3 4 5 6 7 8 9 ".repeat(40) }],
    },
    {
      match: { user: "how many apples" },
      turns: [
        { tools: [tool("stock", { article: "apple" })] },
        { expect: { toolResult: "3" }, tools: [tool("set_output", { count: 3 })] },
        { text: "Three." },
      ],
    },
  ],
};

function answers(rows: Readonly<Record<string, string>>): NonNullable<ScriptInput["conversations"]> {
  return Object.entries(rows).map(([user, text]) => ({ match: { user }, turns: [{ text, times: "always" as const }] }));
}
