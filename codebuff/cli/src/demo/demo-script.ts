import type { ScriptInput } from "@muster/scripted-llm";

const demoFile = "codebuff-demo.md";

const content = `# Written by the demo of codebuff

No model was asked: a script answered in its place. With a key of your own (ANTHROPIC_API_KEY, OPENAI_API_KEY,
OPENROUTER_API_KEY, GEMINI_API_KEY) or after \`codebuff login\` the same tools work for real. Delete this file when you like.
`;

/** A small task in the person's own directory: look around, ask to write one file, tell what happened. */
export const demoScript: ScriptInput = {
  pace: { chars: 8, delayMs: 15 },
  conversations: [
    {
      name: "agent mode",
      match: { system: "Codebuff in agent mode" },
      turns: [
        {
          text: "This is a demo of agent mode: a script plays the model, the terminal is real.\n<run_terminal_command>\n<command>ls | head -5</command>\n</run_terminal_command>",
        },
        {
          text: "That is all the script knows. With a key of your own it works until the task is done.\n<end_turn>\n</end_turn>",
        },
      ],
    },
    {
      name: "demo",
      each: "prompt",
      turns: [
        {
          text: "This is a demo: a script plays the model, the tools are real. First I look at this directory.\n",
          tools: [{ name: "list_directory", native: true, input: { path: "." } }],
        },
        {
          text: `Now I would like to write ${demoFile}; you are asked first.\n`,
          tools: [
            {
              name: "write_file",
              native: true,
              input: { path: demoFile, instructions: "a note about the demo", content },
            },
          ],
        },
        {
          match: { toolResult: "errorMessage" },
          text: "You did not allow it, so nothing was written. That is the whole demo.\n",
        },
        {
          text: `Done: ${demoFile} is there. That is the whole demo; delete the file when you like.\n`,
        },
      ],
    },
  ],
};
