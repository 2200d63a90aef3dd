import { expect, test } from "vitest";
import { readableCommand } from "./shell-words.ts";

test.each([
  ["/bin/bash -lc 'ls -la'", "ls -la"],
  ["/usr/bin/zsh -lc 'echo '\\''hi'\\'''", "echo 'hi'"],
  ['bash -c "echo \\"$HOME\\""', 'echo "$HOME"'],
  ["/bin/bash -lc ls", "ls"],
  ["/bin/bash -lc 'a\nb'", "a\nb"],
])("%s is shown as a person would type it", (command, shown) => {
  expect(readableCommand(command)).toBe(shown);
});

test.each(["python3 -c 'print(1)'", "/bin/bash -lc 'ls' extra", "/bin/bash -lc 'open", "/bin/bash script.sh", ""])(
  "%s is shown as it is",
  (command) => {
    expect(readableCommand(command)).toBe(command);
  },
);
