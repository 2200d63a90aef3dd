/** What can be typed in the chat of `codebuff`, as a page: made from its table of commands and its table of keys. */
export function chatPage({ slashCommands, groups, keymap, keyPlaces, command }) {
  const commands = groups.map((group) => {
    const rows = slashCommands.filter((one) => one.group === group).map(commandRow);
    return `### ${headings[group] ?? group}\n\n| command | what it does |\n|---|---|\n${rows.join("\n")}\n`;
  });
  const keys = keymap.map(
    ([context, key, , help]) => `| ${keyName(key)} | ${keyPlaces[context] || "prompt"} | ${cell(help)} |`,
  );
  return `<!-- made by ${command} -->
# The chat

\`codebuff\` without a prompt opens a chat in the terminal. It keeps to the terminal's own scrollback: selecting, searching and
copying work as everywhere. \`--plain\` is the same chat as spoken lines for a screen reader, \`--demo\` tries it offline.

- **Enter** sends. While the agent works it queues: the prompt is sent when the agent is idle. Alt-Up takes a queued one back.
- **Ctrl-Enter** or \`/btw …\` tells the running agent something now, without waiting.
- **Escape** interrupts. What was done stays; \`/undo\` takes it back.
- **Shift-Tab** changes what is asked for: \`default\` → \`accept-edits\` → \`plan\` ([permissions](permissions.md)).
- **Tab** in an empty prompt changes the mode: DEFAULT, FREE, MAX, PLAN ([modes](getting-started.md#modes)).
- **!command** runs a command of yours; the agent reads its output with your next prompt.
- **@** names a file or an agent, **Ctrl-V** pastes a picture, **Ctrl-G** opens \`$EDITOR\`.
- **Shift-Enter**, or \`\\\` before Enter, is a new line. Up and Down bring back what was sent before.
- **Ctrl-O** shows the conversation full screen, **Ctrl-T** with everything unfolded.

The line below the prompt shows mode, model, what is asked for, how full the model's context is, and what it has cost.

## Commands

A name in parentheses is a shorter way to write the same. A command nobody knows is not sent to the model.

${commands.join("\n")}
## Keys

"Where" is the place in which a key means this; the narrowest place that holds decides.

| key | where | what it does |
|---|---|---|
${keys.join("\n")}

In the text: Ctrl-- undo, Alt-Left and Alt-Right by words, Ctrl-W a word back, Ctrl-K and Ctrl-U the rest of the line, Ctrl-Y what
was cut.
`;
}

const headings = {
  talk: "Conversation",
  mode: "Mode, model and permissions",
  "work tree": "Files",
  input: "Input",
  account: "Account",
  other: "Other",
};

function commandRow({ name, argument = "", aliases = [], help }) {
  const shown = `\`/${name}${argument === "" || name.endsWith(":") ? "" : " "}${argument}\``;
  const shorter = aliases.length === 0 ? "" : ` (${aliases.map((alias) => `\`/${alias}\``).join(", ")})`;
  return `| ${cell(shown)} | ${cell(help)}${shorter} |`;
}

function keyName(key) {
  return key.replace(/(^|\+)([a-z])/g, (_, joint, letter) => `${joint === "+" ? "-" : ""}${letter.toUpperCase()}`);
}

/** A bar inside of a cell would end it. */
function cell(text) {
  return text.replaceAll("|", "\\|");
}
