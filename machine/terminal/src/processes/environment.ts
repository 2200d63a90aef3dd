import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { signalGroup } from "@muster/node";

export type Environment = Record<string, string>;

/** The environment to give to shells, asked for once per program. */
export function loginEnvironment(): Promise<Environment> {
  const own = ownEnvironment();
  known ??= readLoginEnvironment({ shell: own.SHELL || "bash", own, limitMs: 2_000 });
  return known;
}

/**
 * The environment a login shell would have. What this process has wins, and PATH is joined: login profiles set PATH
 * anew (Debian's does), which would lose a virtual environment or a version manager that was active when the program
 * was started. A profile that takes longer than the limit has no say.
 */
export async function readLoginEnvironment(options: {
  shell: string;
  own: Environment;
  limitMs: number;
}): Promise<Environment> {
  return joinEnvironments(await askLoginShell(options), options.own);
}

/** What every shell of ours gets on top. Pagers and password prompts would wait for a person. */
export function terminalEnvironment(base: Environment): Environment {
  const environment: Environment = {
    ...base,
    ...locale(base),
    TERM: "xterm-256color",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    HISTFILE: "",
  };
  for (const name of ["COLUMNS", "LINES", "PS1", "PS2", "PROMPT_COMMAND", "BASH_ENV", "ENV", "TMUX", "TMUX_PANE"]) {
    delete environment[name];
  }
  return environment;
}

let known: Promise<Environment> | undefined;
const mark = "login-environment";

function askLoginShell(options: { shell: string; own: Environment; limitMs: number }): Promise<Environment> {
  return new Promise((resolve) => {
    const child = spawn(options.shell, ["-l", "-c", `printf '%s\\0' ${mark}; exec env -0`], {
      env: options.own,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    const chunks: Buffer[] = [];
    const limit = setTimeout(() => {
      signalGroup(child.pid, "SIGKILL");
    }, options.limitMs);
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", () => settle());
    child.on("close", () => settle());
    function settle(): void {
      clearTimeout(limit);
      resolve(parseEnvironment(Buffer.concat(chunks).toString("utf8")));
    }
  });
}

/** Profiles may print things of their own before the mark. */
function parseEnvironment(text: string): Environment {
  const environment: Environment = {};
  const at = text.indexOf(`${mark}\0`);
  if (at === -1) return environment;
  for (const entry of text.slice(at + mark.length + 1).split("\0")) {
    const equals = entry.indexOf("=");
    if (equals > 0) environment[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
  return environment;
}

function joinEnvironments(login: Environment, own: Environment): Environment {
  const paths = [own.PATH, login.PATH].flatMap((path) => path?.split(delimiter) ?? []);
  const result: Environment = { ...login, ...own, PATH: [...new Set(paths)].join(delimiter) };
  // A shell variable of the login shell, not part of its environment.
  if (own._ === undefined) delete result._;
  return result;
}

function ownEnvironment(): Environment {
  const environment: Environment = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

function locale(base: Environment): Environment {
  const chosen = base.LC_ALL || base.LC_CTYPE || base.LANG || "";
  if (/utf-?8/i.test(chosen)) return {};
  const utf8 = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  return base.LC_ALL ? { LC_ALL: utf8 } : base.LC_CTYPE ? { LC_CTYPE: utf8 } : { LANG: utf8 };
}
