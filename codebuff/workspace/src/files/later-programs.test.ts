import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changedPrograms, readLaterPrograms } from "./later-programs.ts";

test("what other programs run later is named when it is new, gone or different", () => {
  const root = mkdtempSync(path.join(tmpdir(), "later-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(path.join(root, name, ".."), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  write("package.json", '{"scripts":{"test":"a"},"dependencies":{}}');
  write(".envrc", "a");
  write(".husky/pre-commit", "a");
  write("src/a.ts", "a");
  const before = readLaterPrograms(root);
  write("package.json", '{"scripts":{"test":"a"},"dependencies":{"b":"1"}}');
  write("src/a.ts", "b");
  expect(changedPrograms(before, readLaterPrograms(root))).toEqual([]);
  write("package.json", '{"scripts":{"test":"b"}}');
  write(".husky/pre-commit", "b");
  write(".git/hooks/pre-push", "b");
  write(".vscode/tasks.json", "{}");
  rmSync(path.join(root, ".envrc"));
  const changed = [".envrc", ".git/hooks/pre-push", ".husky/pre-commit", ".vscode/tasks.json", "package.json"];
  expect(changedPrograms(before, readLaterPrograms(root))).toEqual(changed);
});
