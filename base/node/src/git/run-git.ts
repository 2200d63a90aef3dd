import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "../files/is-inside.ts";
import { signalGroup } from "../processes/send-signal.ts";

/** Why git refused, in its own words. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
}

export interface GitCall {
  readonly cwd: string;
  /** A name that PATH is searched for, or an absolute path. */
  readonly program?: string;
  /** `GIT_DIR` and the like, on top of an environment without any variable of git. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Written to its standard input. */
  readonly input?: string;
  /** It is ended after so long; left out, it has all the time it needs. */
  readonly timeoutMs?: number;
  /** It is ended when it prints more. */
  readonly mostBytes?: number;
}

/**
 * Runs git and nothing that git could be set up to run: no hook, monitor, pager, editor, helper or transport. Settings of a
 * repository can name more than any list of switches knows, so this is for repositories whose settings are ours; those of
 * others are read through `BorrowedRepository`.
 */
export function runGit(args: readonly string[], call: GitCall): Promise<string> {
  const { cwd, input = "", timeoutMs, mostBytes = Number.POSITIVE_INFINITY } = call;
  const program = findGit(call.program ?? "git", cwd);
  if (program === undefined) return Promise.reject(new GitFailure("git could not be run: there is no git in PATH"));
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...switches, ...args], {
      cwd,
      env: { ...cleanEnvironment(), ...call.environment },
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C at a terminal goes to every process of the group; what was begun is brought to its end all the same.
      detached: true,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let stopped: string | undefined;
    const stop = (why: string) => {
      stopped ??= why;
      signalGroup(child.pid, "SIGKILL");
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("took too long"), timeoutMs);
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) stop("printed too much");
      else output.push(piece);
    });
    child.stderr.on("data", (piece: Buffer) => {
      if (errors.length < 100) errors.push(piece);
    });
    // It may end without having read everything; its exit code tells.
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new GitFailure(`git could not be run: ${error.message}`));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const name = args.find((arg) => !arg.startsWith("-")) ?? "";
      if (stopped !== undefined) reject(new GitFailure(`git ${name} ${stopped}`));
      else if (code === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(new GitFailure(Buffer.concat(errors).toString("utf8").trim() || `git ${name} ended with ${code}`));
    });
    child.stdin.end(input);
  });
}

/** A directory of the project in PATH (`node_modules/.bin`, a dot) does not choose which git is run. */
function findGit(program: string, cwd: string): string | undefined {
  if (isAbsolute(program)) return program;
  const places = (process.env.PATH ?? "").split(delimiter).filter((one) => isAbsolute(one) && !isInside(cwd, one));
  return places.map((place) => join(place, program)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not here: the next directory of PATH is looked into.
    return false;
  }
}

/** Settings that name a program under a name of their own. They win over every file. */
const switches: readonly string[] = [
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "sequence.editor=false",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.askPass=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "diff.ignoreSubmodules=all",
    "diff.submodule=short",
    "interactive.diffFilter=",
    "log.showSignature=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
    "uploadpack.packObjectsHook=",
  ].flatMap((setting) => ["-c", setting]),
];

function cleanEnvironment(): NodeJS.ProcessEnv {
  const without = /^(?:GIT_|SSH_ASKPASS$|PAGER$|EDITOR$|VISUAL$)/;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !without.test(name))),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_ASKPASS: "false",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** For a repository of ours: no settings and attributes of the system or the user; older versions look for them by HOME. */
export function withoutUserSettings(home: string): NodeJS.ProcessEnv {
  return {
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
  };
}
