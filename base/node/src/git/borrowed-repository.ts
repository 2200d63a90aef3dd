import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { readRegular } from "../files/regular-file.ts";
import { type GitCall, GitFailure, runGit, withoutUserSettings } from "./run-git.ts";

/** Where a directory lies in somebody's repository. All paths are absolute. */
export interface RepositoryPlace {
  /** The top of the work tree. */
  readonly top: string;
  readonly gitDirectory: string;
  /** The same unless it is one of several work trees. */
  readonly commonDirectory: string;
  readonly indexFile: string;
  /** The user's own ignore rules, there or not. */
  readonly excludesFile: string;
  /** The settings that change what git says and cannot make it run anything. */
  readonly settings: readonly Setting[];
}

type Setting = readonly [key: string, value: string];

type Limits = Pick<GitCall, "program" | "timeoutMs" | "mostBytes">;

/**
 * Somebody's repository, read without its settings: a git directory of our own whose objects, references and index are
 * theirs. A driver, filter, hook or helper needs a setting that names its program, and there is none; an attribute alone
 * runs nothing. Reads only: what git would write goes to our directory.
 */
export class BorrowedRepository {
  readonly place: RepositoryPlace;
  readonly #directory: string;
  readonly #cwd: string;
  readonly #limits: Limits;

  private constructor(place: RepositoryPlace, options: { directory: string; cwd: string; limits: Limits }) {
    this.place = place;
    this.#directory = options.directory;
    this.#cwd = options.cwd;
    this.#limits = options.limits;
  }

  /** Undefined where no repository is, or none that can be read. Whoever opens it closes it. */
  static async open(cwd: string, limits: Limits = {}): Promise<BorrowedRepository | undefined> {
    const place = await findRepository(cwd, limits);
    if (place === undefined) return undefined;
    const directory = await mkdtemp(join(tmpdir(), "borrowed-git-"));
    try {
      await borrow(place, directory);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
    return new BorrowedRepository(place, { directory, cwd, limits });
  }

  /** Rejects with a `GitFailure`, also for what is not known to read only. */
  run([name = "", ...rest]: readonly string[]): Promise<string> {
    const guard = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (guard === undefined) return Promise.reject(new GitFailure(`git ${name} is not asked of a borrowed repository`));
    const { settings } = this.place;
    const environment = {
      ...withoutUserSettings(this.#directory),
      GIT_DIR: this.#directory,
      GIT_WORK_TREE: this.place.top,
      GIT_INDEX_FILE: this.place.indexFile,
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
    };
    return runGit([name, ...guard, ...rest], { cwd: this.#cwd, environment, ...this.#limits });
  }

  async close(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/**
 * What may be asked, and what it is asked with. Looking into a submodule starts a second git there, with that one's
 * settings: it is told by its commit only.
 */
const readers: Readonly<Record<string, readonly string[]>> = {
  "ls-files": [],
  status: ["--ignore-submodules=dirty"],
  diff: ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"],
  log: ["--no-ext-diff", "--no-textconv", "--no-color", "--no-show-signature"],
};

/** Settings of anybody that `git` may be told again. None of them names a program or a file that is run. */
const harmlessSettings =
  /^(?:core\.(?:autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|quotepath|sparsecheckout|sparsecheckoutcone|checkstat|trustctime)|status\.(?:showuntrackedfiles|renames)|diff\.(?:renames|algorithm|mnemonicprefix|noprefix)|branch\..+\.(?:remote|merge)|remote\..+\.fetch|extensions\.(?:objectformat|refstorage))$/;

/** Where git finds the repository of a directory: asked in ways that make it run nothing, whatever is configured. */
export async function findRepository(cwd: string, limits: Limits = {}): Promise<RepositoryPlace | undefined> {
  const ask = (args: readonly string[]) =>
    runGit(args, { cwd, ...limits }).catch((error: unknown) => {
      if (error instanceof GitFailure) return "";
      throw error;
    });
  const paths = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--git-path", "index"];
  const [answer, listed, excludesFile] = await Promise.all([
    ask(["rev-parse", "--path-format=absolute", ...paths]),
    ask(["config", "--list", "--includes", "-z"]),
    findExcludesFile(cwd, limits),
  ]);
  const [top, gitDirectory, commonDirectory, indexFile] = answer.split("\n");
  if (!top || !gitDirectory || !commonDirectory || !indexFile) return undefined;
  // A repository may call any directory its work tree, and would have the files there read as its own.
  if (!existsSync(join(top, ".git"))) return undefined;
  const settings = [...readSettings(listed), ["core.excludesfile", excludesFile] as const];
  return { top, gitDirectory, commonDirectory, indexFile, excludesFile, settings };
}

/** The user's own ignore rules, there or not: of every repository, and where none is. */
export async function findExcludesFile(cwd: string, limits: Limits = {}): Promise<string> {
  const configured = await runGit(["config", "--path", "--get", "core.excludesFile"], { cwd, ...limits }).catch(
    () => "",
  );
  const home = process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? homedir(), ".config");
  return configured.replace(/\n$/, "") || join(home, "git", "ignore");
}

/** `key LF value NUL`; without a value it is true. */
function readSettings(listed: string): Setting[] {
  return listed
    .split("\0")
    .map((entry): Setting => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    })
    .filter(([key]) => harmlessSettings.test(key));
}

const shared = ["objects", "refs", "packed-refs", "reftable", "shallow", "info/exclude", "info/attributes"];

async function borrow(place: RepositoryPlace, directory: string): Promise<void> {
  const { gitDirectory, commonDirectory, settings } = place;
  await mkdir(join(directory, "info"));
  const links = [
    ...shared.map((name) => [join(commonDirectory, name), name] as const),
    [join(gitDirectory, "info", "sparse-checkout"), "info/sparse-checkout"] as const,
    // A split index names the file that holds the rest of it.
    ...readdirSync(gitDirectory)
      .filter((name) => name.startsWith("sharedindex."))
      .map((name) => [join(gitDirectory, name), name] as const),
  ];
  await Promise.all([
    ...links.filter(([from]) => existsSync(from)).map(([from, name]) => symlink(from, join(directory, name))),
    readRegular(join(gitDirectory, "HEAD")).then((head) => writeFile(join(directory, "HEAD"), head.subarray(0, 4096))),
    writeFile(join(directory, "config"), formatOf(settings)),
  ]);
}

/** What git has to know before it can read anything; it takes it from no other place. */
function formatOf(settings: readonly Setting[]): string {
  const says = (name: string, wanted: string) => settings.some(([key, value]) => key === name && value === wanted);
  const lines = [
    ...(says("extensions.objectformat", "sha256") ? ["\tobjectFormat = sha256"] : []),
    ...(says("extensions.refstorage", "reftable") ? ["\trefStorage = reftable"] : []),
  ];
  const version = lines.length > 0 ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n[extensions]\n${lines.join("\n")}\n`;
}
