import { ModeName } from "@muster/codebuff-protocol";
import type { Chat } from "../chat/chat.ts";
import { isPlan, variants } from "../run-options.ts";
import { formatRows } from "../text/rows.ts";
import type { SlashCommand } from "./slash-command.ts";

const modeHelp: Readonly<Record<ModeName, string>> = {
  DEFAULT: "balanced",
  FREE: "a lighter, faster model",
  MAX: "full capability",
  PLAN: "plan first; nothing is changed before you approve",
};

export const modeCommands: readonly SlashCommand[] = [
  ...ModeName.options.map(
    (mode): SlashCommand => ({
      name: `mode:${mode.toLowerCase()}`,
      group: "mode",
      help: `${mode} mode: ${modeHelp[mode]}`,
      run: (chat) => setMode(chat, mode),
    }),
  ),
  {
    name: "plan",
    group: "mode",
    argument: "[task]",
    help: "plan a task before anything is changed; alone: PLAN mode",
    run(chat, task) {
      if (task === "") return setMode(chat, "PLAN");
      chat.prompts.send({ text: task, mode: "PLAN" });
    },
  },
  {
    name: "review",
    group: "mode",
    argument: "[what]",
    help: "let the agent review the changes of the work tree, or what you name",
    run(chat, what) {
      const subject = what === "" ? "the uncommitted changes of this work tree (git diff, and new files)" : what;
      chat.prompts.send({
        text: `Review ${subject}. Look for mistakes, missing tests and needless complexity; name file and line. Change nothing.`,
      });
    },
  },
  {
    name: "interview",
    group: "mode",
    argument: "[topic]",
    help: "let the agent ask you about a task until it is clear",
    run(chat, topic) {
      const subject = topic === "" ? "what I want to build next in this project" : topic;
      chat.prompts.send({
        text: `Interview me about ${subject}: ask with ask_user, a few questions at a time, until the task is clear. Then write down what we agreed on. Change nothing else.`,
      });
    },
  },
  {
    name: "model",
    group: "mode",
    argument: "[vendor/model]",
    help: "the model of the main agent",
    async run(chat, model) {
      if (model !== "") return setModel(chat, model);
      const { client } = await chat.conversation();
      const usable = (await client.listModels()).filter(({ usable: ok }) => ok !== false);
      const chosen = await chat.dialogs.choose({
        title: "Which model?",
        choices: [
          { label: "the one of the mode", value: undefined },
          ...usable.map(({ id }) => ({ label: id, value: id })),
        ],
        search: true,
        escape: "changes nothing",
      });
      if (chosen !== undefined) setModel(chat, chosen.values[0]);
    },
  },
  {
    name: "variant",
    group: "mode",
    argument: "[low|medium|high]",
    help: "how hard the model thinks; alone: the one of the model",
    run(chat, given) {
      const variant = variants.find((one) => one === given.trim());
      if (given.trim() !== "" && variant === undefined)
        return chat.say(`There is no variant ${given.trim()}: low, medium or high.`, "warning");
      chat.change({ variant });
      chat.say(
        variant === undefined
          ? "The model's own effort from the next prompt on."
          : `${variant} effort from the next prompt on.`,
      );
    },
  },
  {
    name: "agents",
    group: "mode",
    help: "the agents that can be run here; @agent task runs one",
    async run(chat) {
      const { client } = await chat.conversation();
      const warnings: string[] = [];
      const agents = await client.listAgents({ warn: (message) => warnings.push(message) });
      const rows = agents.map(({ id, displayName, model, source }) => [`@${id}`, displayName, `${model} · ${source}`]);
      chat.say([formatRows(rows).trimEnd(), ...warnings].join("\n"));
    },
  },
];

/** Tab in an empty prompt: DEFAULT → FREE → MAX → PLAN → DEFAULT. */
export function nextMode(chat: Chat): void {
  const { options } = ModeName;
  const now = isPlan(chat.settings) ? "PLAN" : chat.settings.mode;
  changeMode(chat, options[(options.indexOf(now) + 1) % options.length] ?? "DEFAULT");
}

/** Another mode than PLAN leaves the policy of that name too. */
function changeMode(chat: Chat, mode: ModeName): void {
  const { permissions } = chat.settings;
  chat.change({ mode, permissions: permissions === "plan" && mode !== "PLAN" ? "default" : permissions });
}

function setMode(chat: Chat, mode: ModeName): void {
  changeMode(chat, mode);
  chat.say(`${mode} mode from the next prompt on: ${modeHelp[mode]}.`);
}

function setModel(chat: Chat, model: string | undefined): void {
  chat.change({ model });
  chat.say(
    model === undefined ? "The model of the mode from the next prompt on." : `${model} from the next prompt on.`,
  );
}
