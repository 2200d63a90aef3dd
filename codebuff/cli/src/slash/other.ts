import type { keymap } from "../input/key-table.ts";
import { keymapWith } from "../input/keymap.ts";
import { formatRows } from "../text/rows.ts";
import { themeNames } from "../text/theme-file.ts";
import { runShellCommand } from "./run-shell-command.ts";
import { groups, type SlashCommand } from "./slash-command.ts";

/** Help tells of all commands, these among them. */
export const otherCommands = (all: () => readonly SlashCommand[]): readonly SlashCommand[] => [
  {
    name: "help",
    aliases: ["h", "?"],
    group: "other",
    help: "commands and keys",
    isWord: true,
    run(chat) {
      chat.say(helpText(all(), chat.options.keys));
    },
  },
  {
    name: "theme",
    group: "other",
    argument: "[auto|dark|light|name]",
    help: "the colours, from the next line on; files in ~/.codebuff/themes are themes too",
    run(chat, given) {
      const names = themeNames(chat.io.home);
      const wanted = names.find((name) => name === given.trim());
      const known = `/theme takes one of ${names.join(", ")}`;
      if (given.trim() === "") return chat.say(`The theme is ${chat.themeChoice}. ${known}.`);
      if (wanted === undefined) return chat.say(`There is no theme ${given.trim()}. ${known}.`, "warning");
      chat.themeChoice = wanted;
      if (wanted !== "auto") chat.setTheme(wanted);
      chat.say(wanted === "auto" ? "The theme of the terminal." : `The ${wanted} theme from here on.`);
    },
  },
  {
    name: "theme:toggle",
    group: "other",
    help: "light or dark; from the next line on",
    run(chat) {
      chat.setTheme(chat.themeName === "light" ? "dark" : "light");
      chat.themeChoice = chat.themeName;
      chat.say(`The ${chat.themeName} theme from here on.`);
    },
  },
  {
    name: "vim",
    group: "other",
    help: "edit the prompt with the keys of vim, or as usual again; `codebuff config set vim true` keeps it",
    run(chat) {
      if (chat.view.setVim === undefined) return chat.say("There is no line editor here.", "warning");
      const isOn = chat.view.setVim();
      chat.say(isOn ? "The keys of vim: Escape leaves writing, i goes back to it." : "The usual keys.");
    },
  },
  {
    name: "copy",
    group: "other",
    help: "the last answer into the clipboard",
    run(chat) {
      const last = chat.items.findLast((item) => item.kind === "text" && item.withdrawn !== true);
      if (last?.kind !== "text") return chat.say("There is no answer yet.");
      chat.view.copy(last.text.trim());
      chat.say("The last answer is in the clipboard, where the terminal allows it.", "good");
    },
  },
  {
    name: "diagnostics",
    group: "other",
    help: "what is found on this machine, and what to do about the rest",
    async run(chat) {
      const { doctor } = await import("../commands/doctor.ts");
      await runShellCommand(chat, (io) => doctor({}, { ...io, cwd: chat.options.cwd }));
    },
  },
  {
    name: "exit",
    aliases: ["quit", "q"],
    group: "other",
    help: "leave; --continue goes on from here",
    isWord: true,
    run(chat) {
      chat.exit();
    },
  },
];

function helpText(slashCommands: readonly SlashCommand[], own: Readonly<Record<string, string>>): string {
  const commands = groups.flatMap((group) => [
    "",
    `${group}:`,
    ...formatRows(
      slashCommands
        .filter((command) => command.group === group)
        .map(({ name, argument = "", aliases = [], help }) => [
          `  /${name}${name.endsWith(":") ? "" : " "}${argument}`.trimEnd(),
          `${help}${aliases.length === 0 ? "" : ` (${aliases.map((alias) => `/${alias}`).join(", ")})`}`,
        ]),
    )
      .trimEnd()
      .split("\n"),
  ]);
  const keys = formatRows(keymapWith(own).map(([context, key, , help]) => [`  ${key}`, keyPlaces[context], help]))
    .trimEnd()
    .split("\n");
  return [
    "Commands",
    ...commands,
    "",
    "Keys",
    ...keys,
    "",
    "In the text: shift+enter or \\ enter a new line, ctrl+- undo, alt+left and alt+right words, ctrl+w a word back,",
    "ctrl+k and ctrl+u the rest of the line, ctrl+y what was cut, up and down what was sent before.",
    "!command runs a command of yours, @ names files and agents.",
  ].join("\n");
}

/** Where a key is pressed, in words of `/help` and of the page of the chat. */
export const keyPlaces: Readonly<Record<(typeof keymap)[number][0], string>> = {
  dialog: "question",
  search: "Ctrl-R",
  vimInsert: "vim, writing",
  vimNormal: "vim, not writing",
  bashMode: "! command",
  command: "your command runs",
  text: "some text",
  running: "agent works",
  menu: "menu",
  paused: "paused queue",
  fullScreen: "full screen",
  editor: "",
};
