import { askingPrompts } from "./asking-prompts.ts";
import { brokenPrompts } from "./broken-prompts.ts";
import { plainPrompts } from "./plain-prompts.ts";
import type { Prompt, Script } from "./script.ts";
import { toolPrompts } from "./tool-prompts.ts";

/** The order of `demo`: everything that can be in one turn without ending it. */
const demoOrder = [
  ...["reasoning", "markdown", "plan", "tool", "file", "subagent", "image", "status"],
  ...["question", "questions", "permission", "unparsed"],
];

const help: Script = async ({ turn }) => {
  const lines = Object.values(prompts).map(({ usage, does }) => `- \`${usage}\`: ${does}`);
  await turn.tell(`I am the mock agent. I obey these prompts, and echo everything else:\n\n${lines.join("\n")}\n`);
  return undefined;
};

const demo: Script = async (scene) => {
  for (const name of demoOrder) await prompts[name]?.run({ ...scene, argument: "" });
  scene.turn.say({ ev: "trouble", code: "provider_error", text: "A pretended hiccup, already over", again: true });
  await scene.turn.tell("That was all of it.");
  return undefined;
};

const prompts: Record<string, Prompt> = {
  help: { usage: "help", does: "lists the prompts", run: help },
  ...plainPrompts,
  ...toolPrompts,
  ...askingPrompts,
  demo: { usage: "demo", does: "all of it in one turn", run: demo },
  ...brokenPrompts,
};

/** The first word of a prompt chooses; the rest is its argument. */
export function promptFor(text: string): { run: Script; argument: string } {
  const [, name = "", argument = ""] = /^(\S*)\s?([\s\S]*)$/.exec(text) ?? [];
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  return prompt === undefined ? { run: echoAll, argument: text } : { run: prompt.run, argument };
}

const echoAll: Script = async ({ turn, argument }) => {
  await turn.tell(argument);
  return undefined;
};
