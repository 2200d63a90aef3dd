import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { quoteForShell } from "@muster/core";
import { isInside } from "@muster/node";
import { type GuardedGit, guardedGit, guardedGitFiles, guardShell } from "./guarded-git.ts";
import type { PlacedWish } from "./kernel-sandbox.ts";
import { limitWords } from "./limits.ts";
import { systemPath } from "./past-session.ts";
import { systemDirectories } from "./sandbox-script.ts";

/** The same walls as the script of the namespaces makes, in bubblewrap's words; a later one covers what it is inside of. */
export function bubblewrapWords(program: string, wish: PlacedWish, command: readonly string[]): string {
  const guarded = wish.writes === "project" ? guardedGit(wish.root) : { directories: [], readOnly: [] };
  const words = `${program} ${optionWords(wish, guarded)} --chdir "$PWD" -- ${limitWords} ${command.map(quoteForShell).join(" ")}`;
  const { directories } = guarded;
  if (directories.length === 0) return words;
  return `/bin/sh -p -c ${[guardScript, "sandbox", String(directories.length), ...directories].map(quoteForShell).join(" ")} ${words}`;
}

/** Around bubblewrap, which mounts only what is there: it ends after every process it has started. */
const guardScript = `set -eu
path=$PATH
PATH=${systemPath.join(":")}
fail() { echo "The sandbox could not be made: $1" >&2; exit 125; }
${guardShell}
guarded=$1
shift
while [ "$guarded" -gt 0 ]; do prepare_git "$1"; shift; guarded=$((guarded - 1)); done
set +e
PATH=$path "$@" 9<&-
code=$?
if [ -n "$held" ]; then release_git; fi
exit $code
`;

function optionWords(wish: PlacedWish, guarded: GuardedGit): string {
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
    ...guarded.directories.flatMap(guardedWords),
    ...guarded.readOnly.map((one) => `--ro-bind-try ${quoteForShell(one)} ${quoteForShell(one)}`),
    ...coveredDirectories(wish).map((one) => `--remount-ro ${quoteForShell(one)}`),
    ...hidden.filter(isPlainFile).map((one) => `--dev-bind /dev/null ${quoteForShell(one)}`),
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

/** A file that is made around bubblewrap is not there yet. */
function guardedWords(git: string): string[] {
  const names = guardedGitFiles.map((name) => path.join(git, name));
  const isLinked = names.some((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  const bind = (how: string) => (one: string) => `--${how} ${quoteForShell(one)} ${quoteForShell(one)}`;
  return isLinked ? [bind("ro-bind")(git)] : [bind("bind")(git), ...names.map(bind("ro-bind-try"))];
}

function isPlainFile(one: string): boolean {
  return lstatSync(one, { throwIfNoEntry: false })?.isFile() === true;
}
