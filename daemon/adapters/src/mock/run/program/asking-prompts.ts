import type { Ask } from "../../wire/native.ts";
import type { Prompt, Script } from "./script.ts";
import { endCall, openCall } from "./tool-prompts.ts";
import type { Answer, OpenBlock, Turn, Verdict } from "./turn.ts";

const colour: Ask = {
  key: "colour",
  title: "Colour",
  text: "Which colour shall it be?",
  wants: "string",
  choices: [
    { key: "red", label: "Red", more: "like a brick" },
    { key: "blue", label: "Blue", more: "like the sea" },
  ],
  several: false,
  free: true,
};

const toppings: Ask = {
  key: "toppings",
  title: "Toppings",
  text: "Which toppings?",
  wants: "string",
  choices: ["Cheese", "Olives", "Basil"].map((label) => ({ key: label.toLowerCase(), label })),
  several: true,
  free: false,
};

const question: Script = async ({ turn }) => {
  await tellAnswer(turn, await turn.ask("question", [colour]));
  return undefined;
};

const questions: Script = async ({ turn }) => {
  await tellAnswer(turn, await turn.ask("question", [colour, toppings]));
  return undefined;
};

async function tellAnswer(turn: Turn, { picks, words }: Answer): Promise<void> {
  if (picks === null) await turn.tell(`You declined${words === undefined ? "" : `: ${words}`}.`);
  else await turn.tell(`You answered: ${picks.map((pick) => pick.join(" and ")).join("; ")}.`);
}

/** `permission edit <path>` asks to change a file, anything else is a command to run. */
const permission: Script = async ({ turn, argument }) => {
  const edit = /^edit\s+(\S[\s\S]*)$/.exec(argument)?.[1];
  const command = argument.trim() === "" ? "rm -rf build" : argument;
  const wanted = edit === undefined ? command : `change ${edit}`;
  const call =
    edit === undefined
      ? openCall(turn, { tool: "shell", sort: "execute", args: { command }, label: command })
      : openCall(turn, { tool: "write", sort: "edit", args: { path: edit, content: "changed\n" }, label: edit });
  const verdict = await askToUse(turn, call.block, { command, edit });
  if (verdict.allow) {
    endCall(turn, call, { printed: "pretended", ok: true, code: 0 });
    await turn.tell(`I was allowed to: ${wanted}`);
  } else {
    const words = verdict.words ?? "no reason given";
    endCall(turn, call, { printed: `not allowed: ${words}`, ok: false, refused: true });
    await turn.tell(`I was not allowed to: ${wanted} (${words})`);
  }
  return undefined;
};

async function askToUse(turn: Turn, block: OpenBlock, wanted: { command: string; edit?: string | undefined }) {
  const { guard, directory: cwd } = turn.settings;
  const { command, edit } = wanted;
  const grant =
    edit === undefined
      ? { verb: "execute" as const, title: `Run ${command}`, command, cwd, forever: exactScope("execute", command) }
      : { verb: "edit" as const, title: `Edit ${edit}`, files: [edit], cwd, forever: exactScope("edit", edit) };
  if (guard === "bypass" || (guard === "acceptEdits" && edit !== undefined)) return { allow: true };
  if (guard !== "plan") return turn.askPermission(grant, block);
  const verdict: Verdict = { allow: false, words: "nothing is changed while planning" };
  turn.say({ ev: "ruled", ask: `ask_${turn.newId()}`, block: block.id, ...grant, ...verdict });
  return verdict;
}

function exactScope(verb: "execute" | "edit", exactly: string) {
  return [{ verb, exactly }];
}

const steps = ["look around", "change one line", "run the tests"];

/** While planning the plan wants approval before it is followed. */
const plan: Script = async ({ turn }) => {
  const text = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  turn.whole({ what: "plan", voice: "assistant", pieces: [{ as: "plan", words: text }] });
  const planning = turn.settings.guard === "plan" || turn.settings.mode === "plan";
  if (planning && !(await askApproval(turn, text))) return undefined;
  for (let done = 0; done <= steps.length; done++) {
    const state = (index: number) => (index < done ? "done" : index === done ? "doing" : "open");
    turn.say({ ev: "todo", list: steps.map((step, index) => ({ text: step, is: state(index), weight: "medium" })) });
    await turn.breathe();
  }
  await turn.tell("The plan is done.");
  return undefined;
};

async function askApproval(turn: Turn, text: string): Promise<boolean> {
  const choices = [
    { key: "approve", label: "Yes, ask before edits" },
    { key: "approve_edits", label: "Yes, and accept edits" },
    { key: "reject", label: "No, keep planning" },
  ];
  const ask = { key: "plan", text: "Follow this plan?", plan: text, wants: "string" as const, choices };
  const { picks, words, edited } = await turn.ask("plan_approval", [{ ...ask, several: false, free: true }]);
  const pick = picks?.[0]?.[0];
  const guard = choices.find(({ key, label }) => pick === key || pick === label)?.key;
  if (guard !== "approve" && guard !== "approve_edits") {
    await turn.tell(`I keep planning${pick === undefined ? "" : `: ${words ?? pick}`}.`);
    return false;
  }
  turn.settings.guard = guard === "approve" ? "default" : "acceptEdits";
  turn.settings.mode = "build";
  turn.say({ ev: "settings", guard: turn.settings.guard, mode: "build" });
  if (edited !== undefined) await turn.tell(`I follow your version:\n${edited}`);
  return true;
}

export const askingPrompts: Record<string, Prompt> = {
  plan: { usage: "plan", does: "makes a plan and follows it; while planning it asks for approval", run: plan },
  question: { usage: "question", does: "asks a question", run: question },
  questions: { usage: "questions", does: "asks two questions, one with several answers", run: questions },
  permission: {
    usage: "permission [command | edit <path>]",
    does: "asks whether it may run a command or change a file",
    run: permission,
  },
};
