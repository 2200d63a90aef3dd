import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { quoteForShell } from "@muster/core";
import { isInside } from "@muster/node";
import type { PlacedWish } from "./kernel-sandbox.ts";
import { guardedGitFiles, systemDirectories } from "./sandbox-script.ts";

/** The same walls as the script of the namespaces makes, in bubblewrap's words; a later one covers what it is inside of. */
export function bubblewrapWords(wish: PlacedWish, command: readonly string[]): string {
  const { root, writes, network, home, visible, hidden } = wish;
  const binds = visible.map((one) => `--ro-bind ${quoteForShell(one)} ${quoteForShell(one)}`);
  const project = quoteForShell(root);
  return [
    "--die-with-parent --unshare-all",
    network === "allowed" ? "--share-net" : "",
    "--cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run",
    ...coveredDirectories(wish).map((one) => `--tmpfs ${quoteForShell(one)}`),
    ...binds,
    ...[".ssh", ".gnupg", ".aws", ".kube"]
      .map((name) => path.join(home, name))
      .filter((one) => existsSync(one) && visible.some((other) => isInside(other, one)))
      .map((one) => `--tmpfs ${quoteForShell(one)}`),
    `${writes === "project" ? "--bind" : "--ro-bind"} ${project} ${project}`,
    ...(writes === "project" ? guardedWords(path.join(root, ".git")) : []),
    ...hidden.filter(isPlainFile).map((one) => `--ro-bind /dev/null ${quoteForShell(one)}`),
    `--chdir "$PWD" -- ${command.map(quoteForShell).join(" ")}`,
  ].join(" ");
}

function coveredDirectories({ root, home, visible }: PlacedWish): string[] {
  const tops = readdirSync("/", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !systemDirectories.includes(entry.name))
    .map((entry) => `/${entry.name}`);
  return [...new Set([...tops, ...(home === "/" ? [] : [home])])].filter(
    (one) => existsSync(one) && !isInside(root, one) && !visible.some((other) => isInside(other, one)),
  );
}

function guardedWords(git: string): string[] {
  if (!existsSync(git)) return [];
  const readOnly = (one: string) => `--ro-bind ${quoteForShell(one)} ${quoteForShell(one)}`;
  if (isPlainFile(git)) return [readOnly(git)];
  const guarded = guardedGitFiles.map((name) => path.join(git, name)).filter(existsSync);
  return [`--bind ${quoteForShell(git)} ${quoteForShell(git)}`, ...guarded.map(readOnly)];
}

function isPlainFile(one: string): boolean {
  return lstatSync(one, { throwIfNoEntry: false })?.isFile() === true;
}
