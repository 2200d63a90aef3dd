/** The thirty chores of docs/codebuff/chores.md: what the model says and what a person types, and what must then be seen. */
const call = (name, input) => ({ name, input, native: true });
const sh = (command) => call("run_terminal_command", { command });
const write = (path, content) => call("write_file", { path, instructions: "write it", content });
const edit = call("str_replace", { path: "a.js", replacements: [{ old: "one = 1", new: "one = 2" }] });
const ask = (...questions) => call("ask_user", { questions });
const options = (...labels) => labels.map((label) => ({ label }));
const said = { text: "Hello there.", times: "always" };
const words = { text: "word ".repeat(600), pace: { chars: 5, delayMs: 60 } };
const [esc, ctrlC, ctrlD, ctrlG, ctrlO, ctrlZ, altUp, up, down, back] = [
  "\u001b",
  "\u0003",
  "\u0004",
  "\u0007",
  "\u000f",
  "\u001a",
  "\u001b[1;3A",
  "\u001b[A",
  "\u001b[B",
  "\u007f",
];
const lookAround = [{ tools: [call("list_directory", { path: "." })] }, { text: "There is a.js." }];
const askTwice = [
  { tools: [ask({ question: "First?", options: options("A", "B") })] },
  { tools: [ask({ question: "Second?", options: options("A", "B") })] },
  said,
];
const plan = "<PLAN>\n## Steps\n\n1. Read `a.js`\n2. Write a test\n</PLAN>";

/** A step is text to type, or `[text, what must be seen before the next]`. `shell`: begun in a shell, to come back to it. */
export const chores = [
  { turns: lookAround, go: [["what is here?\r", "There is a.js."]] },
  { turns: [{ text: "日本語 and 👩‍👩‍👧 in one line, café too." }], go: [["wide?\r", "café too"]] },
  {
    turns: [{ tools: [edit] }, { text: "Mended." }],
    go: [
      ["mend it\r", "Allow once"],
      ["1", "Mended."],
    ],
  },
  {
    turns: [{ tools: [sh("touch x")] }, { text: "Touched." }],
    go: [
      ["touch it\r", "Allow once"],
      ["1", /permission Run touch x.*allowed/],
    ],
  },
  {
    turns: [{ tools: [write("b.js", "const two = 2;\n")] }, said],
    flags: ["--permissions", "allow"],
    go: [
      ["write b.js\r", "Hello there."],
      ["/diff\r", /b\.js \(new\)|\+const two/],
    ],
  },
  {
    turns: [{ tools: [edit] }, said],
    flags: ["--permissions", "allow"],
    go: [
      ["change it\r", "Hello there."],
      ["/undo\r", "Taken back"],
      ["!cat a.js\r", "one = 1"],
      ["/redo\r", "Brought back"],
    ],
  },
  {
    turns: [
      {
        tools: [
          ask({
            question: `${"A long question that goes on and on ".repeat(5)}and ends here?`,
            options: options("Yes", "No"),
          }),
        ],
      },
      said,
    ],
    go: [["ask\r", "ends here?"]],
  },
  {
    turns: [
      { tools: [ask({ question: "Which?", options: options("Cache", "Queue", "Clock"), multiSelect: true })] },
      said,
    ],
    go: [["ask\r", "Which?"], " ", `${down} `, `${down}${down}`, ["a bell", "a bell"]],
  },
  {
    turns: askTwice,
    go: [
      ["ask\r", "First?"],
      [esc, "Second?"],
      [esc, "interrupted"],
    ],
  },
  {
    turns: [words, said],
    go: [
      ["write\r", "word word"],
      ["and then this\r", "queued: and then this"],
    ],
  },
  {
    turns: [words, said],
    go: [
      ["write\r", "word word"],
      ["second\r", "queued: second"],
      ["third\r", "queued: third"],
      [altUp, "Which prompt back"],
    ],
  },
  {
    turns: [words, said],
    go: [
      ["write\r", "word word"],
      ["/btw be quick\r", "joins soon"],
      [esc, "paused: Enter sends the queue"],
    ],
  },
  {
    turns: [words],
    go: [
      ["write\r", ""],
      [esc, "interrupted"],
    ],
    at: "once",
  },
  {
    turns: [{ expect: { body: "a.js" }, text: "One file, a.js." }],
    go: [
      ["!ls\r", "a.js"],
      ["what do you see?\r", "One file"],
    ],
  },
  {
    turns: [said],
    go: [
      ["!sleep 50\r", "sleep 50"],
      [ctrlC, /130|interrupted/i],
    ],
  },
  {
    turns: [said],
    go: [
      ["!echo once\r", "once"],
      [ctrlD, "shell>"],
      ["codebuff\r", "with the key"],
      [up, "echo once"],
    ],
    shell: true,
  },
  { turns: [said], files: { "src/alpha.js": "1\n", "src/beta.js": "1\n" }, go: [["@alp", "src/alpha.js"]] },
  { turns: [said], files: { "src/alpha.js": "1\n" }, go: ["look at src/al", ["\t", "src/alpha.js"]] },
  {
    turns: [said],
    go: [
      ["hello\r", "Hello there."],
      ["/c\r", "new conversation"],
    ],
  },
  {
    turns: [said],
    files: { "shot.png": "no picture\n" },
    go: [["\u001b[200~/image shot.png\u001b[201~\r", "shot.png"]],
  },
  {
    turns: [said],
    go: [
      [`\u001b[200~${"a line\r".repeat(899)}last\u001b[201~`, "pasted text 1 (900 lines)"],
      [`\u001b[200~${"b line\r".repeat(700)}last\u001b[201~`, "pasted text 2"],
      back,
    ],
  },
  {
    turns: [said],
    env: { EDITOR: "sh -c 'echo from the editor > \"$0\"'" },
    go: ["half", [ctrlG, "from the editor"]],
  },
  {
    turns: [{ text: plan }, { text: "Carried out." }],
    flags: ["--plan"],
    go: [
      ["plan it\r", "Carry out this plan?"],
      ["1", "Carried out."],
    ],
  },
  {
    turns: [{ text: "| key | what it does |\n|---|---|\n| a | the first one of all of them |\n| b | the second |\n" }],
    columns: 60,
    go: [
      ["table\r", "the second"],
      ["/help\r", "ctrl+d"],
    ],
  },
  {
    turns: [said],
    go: [
      ["first thing\r", "Hello there."],
      ["/new\r", "new conversation"],
      ["/history\r", "Conversations of this project"],
      ["first", "first thing"],
    ],
  },
  {
    turns: [words, said],
    go: [
      ["write\r", "word word"],
      ["/new\r", /while the agent works|Escape|first/i],
    ],
  },
  {
    turns: [{ tools: [sh("seq 1 60")] }, words],
    flags: ["--permissions", "allow"],
    go: [
      ["count\r", "word word"],
      [ctrlO, "ctrl+t unfolds"],
    ],
  },
  {
    turns: [said],
    shell: true,
    go: [
      ["hello\r", "Hello there."],
      [ctrlZ, "shell>"],
      ["echo in the shell\r", "in the shell"],
      ["fg\r", "DEFAULT"],
    ],
  },
  {
    turns: [{ tools: [sh("touch x")] }, said],
    shell: true,
    go: [
      ["touch\r", "Allow once"],
      ["1", "Hello there."],
      [ctrlD, "shell>"],
      ["clear; codebuff --continue\r", /permission Run touch x/],
    ],
  },
  {
    script: {
      conversations: [
        {
          match: { system: "Codebuff in agent mode" },
          turns: [
            { text: "I wait.\n<run_terminal_command>\n<command>sleep 60</command>\n</run_terminal_command>" },
            { text: "Done.\n<end_turn></end_turn>", times: "always" },
          ],
        },
      ],
    },
    flags: ["--permissions", "allow"],
    shell: true,
    go: [
      ["/agent wait for it\r", "sleep 60"],
      [esc, "interrupted"],
      [ctrlD, "shell>"],
      ["clear; codebuff --continue --permissions allow\r", "agent mode"],
      ["/agent\r", "Go on with the task"],
    ],
  },
];
