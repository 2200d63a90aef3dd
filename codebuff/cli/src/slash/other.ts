import { ThemeSetting } from "@muster/codebuff-protocol";
import { keymap } from "../input/keymap.ts";
import { formatRows } from "../text/rows.ts";
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
      chat.say(helpText(all()));
    },
  },
  {
    name: "theme",
    group: "other",
    argument: "[auto|dark|light]",
    help: "the colours; from the next line on",
    run(chat, given) {
      const wanted = ThemeSetting.safeParse(given.trim());
      if (!wanted.success) return chat.say(`The theme is ${chat.themeChoice}: /theme auto, dark or light.`);
      chat.themeChoice = wanted.data;
      if (wanted.data !== "auto") chat.setTheme(wanted.data);
      chat.say(wanted.data === "auto" ? "The theme of the terminal." : `The ${wanted.data} theme from here on.`);
    },
  },
  {
    name: "theme:toggle",
    group: "other",
    help: "light or dark; from the next line on",
    run(chat) {
      chat.setTheme(chat.themeName === "dark" ? "light" : "dark");
      chat.themeChoice = chat.themeName;
      chat.say(`The ${chat.themeName} theme from here on.`);
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

function helpText(slashCommands: readonly SlashCommand[]): string {
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
  const keys = formatRows(keymap.map(([context, key, , help]) => [`  ${key}`, keyPlaces[context], help]))
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
  bashMode: "! command",
  command: "your command runs",
  text: "some text",
  running: "agent works",
  menu: "menu",
  paused: "paused queue",
  fullScreen: "full screen",
  editor: "",
};
