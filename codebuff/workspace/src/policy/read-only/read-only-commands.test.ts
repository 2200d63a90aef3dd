import { expect, test } from "vitest";
import { loadBashReader } from "../bash/bash-reader.ts";
import { readCommand } from "../bash/called-programs.ts";
import { onlyReads } from "./read-only-commands.ts";

const read = await loadBashReader();

test.each([
  "ls -la",
  "git log --oneline | head -20",
  "git diff HEAD~1 -- src",
  "git branch -a",
  "cat a.ts b.ts 2>/dev/null",
  "rg -n 'foo|bar' src && wc -l src/a.ts",
  "find . -name '*.ts' -type f",
  "sed -n 10,20p a.ts",
  "node --version",
  "cd src && pwd",
  "sort a | uniq -c",
  "git config --global --get user.name",
  "git branch --sort=-committerdate --list 'a*'",
  "git stash show -p",
  "xxd -c 8 -g1 a",
])("%s only reads", (command) => {
  expect(onlyReads(readCommand(command, read))).toBe(true);
});

test.each([
  "npm test",
  "echo x > a.txt",
  "cat a >> b",
  "ls; rm a",
  "git commit -m x",
  "git branch new",
  "git branch -D old",
  "git tag v1",
  "git diff --output=x",
  "find . -delete",
  "find . -exec touch {} +",
  "sort -o a a",
  "sed -i s/a/b/ x",
  "sed -n 1w/etc/x a",
  "xargs rm",
  "xargs sh -c cat",
  "echo $(touch x)",
  "$CMD",
  "sudo ls",
  "env ls",
  "tee a",
  "uniq a b",
  "rg --pre sh x",
  "bash -c ls",
  "ls 'open",
  "ls x\r#; rm a",
  "ls x\v#; rm a",
  "ls x\f#; rm a",
  "coproc make\n{ ls; }",
  "git config user.name --list",
  "git config -- user.name --get",
  "git branch --sort --list new",
  "git tag --format --list v9",
  "git stash -m list",
  "git stash -- list",
  "git log --format='%+G?'",
  "uniq ./[ab]",
  "xxd ./[ab]",
  "xxd -ac a b",
  "",
])("%j may write", (command) => {
  expect(onlyReads(readCommand(command, read))).toBe(false);
});
