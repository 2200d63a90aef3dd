import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A repository in which one setting would make git run a program; that it ran is told by a file. */
export interface Trap {
  readonly what: string;
  /** Sets it, in a repository with one commit and a changed `a.txt`. */
  readonly set: (place: TrapPlace) => void;
  /** What makes plain git run it. */
  readonly args: readonly string[];
  /** Variables that the trap itself consists of. */
  readonly env?: (place: TrapPlace) => Record<string, string>;
  /** Plain git needs a terminal to run it. */
  readonly atTerminal?: true;
}

export interface TrapPlace {
  readonly base: string;
  readonly root: string;
  /** The user's home directory. */
  readonly home: string;
  /** A program that says that it ran, and prints the file it is given. */
  readonly program: string;
  /** That it ran. */
  hasRun(): boolean;
  git(...args: string[]): string;
  config(key: string, value: string): void;
  write(path: string, text: string, mode?: number): void;
  remove(): void;
}

/** `template` is the root of another place, taken as it is. */
export function makeTrapPlace(template?: string): TrapPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "git-trap-")));
  const [root, home, mark, program] = ["root", "home", "ran", "program"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(program, `#!/bin/sh\n: >${mark}\nif [ -f "$1" ]; then cat "$1"; fi\n`, { mode: 0o755 });
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: root,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const place: TrapPlace = {
    base,
    root,
    home,
    program,
    hasRun: () => existsSync(mark),
    git,
    config: (key, value) => git("config", key, value),
    write: (path, text, mode) => {
      const file = path.startsWith("/") ? path : join(root, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      if (mode !== undefined) chmodSync(file, mode);
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  if (template !== undefined) cpSync(template, root, { recursive: true, preserveTimestamps: true });
  else {
    git("init", "--quiet", "-b", "main");
    place.write("a.txt", "one\n");
    git("add", "-A");
    git("commit", "--quiet", "-m", "first");
    place.write("a.txt", "two\n");
  }
  return place;
}

const attribute = (name: string) => (place: TrapPlace) => place.write(".gitattributes", `*.txt ${name}\n`);

const driver =
  (attributes: string, ...settings: readonly (readonly [string, string?])[]) =>
  (place: TrapPlace) => {
    attribute(attributes)(place);
    for (const [key, value] of settings) place.config(key, value ?? place.program);
  };

const setting =
  (...settings: readonly (readonly [string, string?])[]) =>
  (place: TrapPlace) => {
    for (const [key, value] of settings) place.config(key, value ?? place.program);
  };

const hook = (name: string) => (place: TrapPlace) =>
  place.write(`.git/hooks/${name}`, `#!/bin/sh\nexec ${place.program} </dev/null\n`, 0o755);

const textconvFile = (place: TrapPlace) => `[diff "e"]\n\ttextconv = ${place.program}\n`;

/** A commit with a signature that some program would have to verify. */
const signed = (place: TrapPlace) => {
  const tree = place.git("write-tree").trim();
  const who = "a <a@b.c> 1700000000 +0000";
  const kind = place.git("config", "--default", "openpgp", "--get", "gpg.format").trim();
  const [begin, end] = {
    openpgp: ["-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"],
    ssh: ["-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"],
    x509: ["-----BEGIN SIGNED MESSAGE-----", "-----END SIGNED MESSAGE-----"],
  }[kind] ?? ["", ""];
  const file = join(place.base, "commit");
  place.write(file, `tree ${tree}\nauthor ${who}\ncommitter ${who}\ngpgsig ${begin}\n \n AAAA\n ${end}\n\nsigned\n`);
  const commit = place.git("hash-object", "-t", "commit", "-w", "--literally", file).trim();
  place.git("update-ref", "refs/heads/main", commit);
};

/** A repository inside that is recorded by its commit, with settings of its own. */
const submodule = (place: TrapPlace, key: string, attributes?: string) => {
  place.git("init", "--quiet", "sub");
  const inside = (...args: string[]) => place.git("-C", "sub", ...args);
  place.write("sub/b.txt", "one\n");
  if (attributes !== undefined) place.write("sub/.gitattributes", `*.txt ${attributes}\n`);
  inside("add", "-A");
  inside("commit", "--quiet", "-m", "inside");
  place.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
  place.git("add", "-A");
  place.git("commit", "--quiet", "-m", "submodule");
  place.write("sub/b.txt", "two\n");
  inside("config", key, place.program);
};

const conflict = (place: TrapPlace) => {
  place.git("checkout", "--quiet", "--", "a.txt");
  place.git("checkout", "--quiet", "-b", "other");
  place.write("a.txt", "other\n");
  place.git("commit", "--quiet", "-am", "other");
  place.git("checkout", "--quiet", "main");
  place.write("a.txt", "main\n");
  place.git("commit", "--quiet", "-am", "main");
};

const clean = (place: TrapPlace) => place.git("checkout", "--quiet", "--", "a.txt");

export const traps: readonly Trap[] = [
  { what: "textconv of a driver", set: driver("diff=e", ["diff.e.textconv"]), args: ["diff"] },
  {
    what: "textconv, cached",
    set: driver("diff=e", ["diff.e.textconv"], ["diff.e.cachetextconv", "true"]),
    args: ["log", "-p"],
  },
  { what: "textconv at show", set: driver("diff=e", ["diff.e.textconv"]), args: ["show"] },
  { what: "textconv at blame", set: driver("diff=e", ["diff.e.textconv"]), args: ["blame", "a.txt"] },
  { what: "textconv at grep", set: driver("diff=e", ["diff.e.textconv"]), args: ["grep", "--textconv", "two"] },
  {
    what: "textconv at cat-file",
    set: driver("diff=e", ["diff.e.textconv"]),
    args: ["cat-file", "--textconv", "HEAD:a.txt"],
  },
  {
    what: "textconv of staged changes",
    set: (place) => {
      driver("diff=e", ["diff.e.textconv"])(place);
      place.git("add", "-A");
    },
    args: ["diff", "--cached"],
  },
  {
    what: "textconv named by info/attributes",
    set: (place) => {
      place.write(".git/info/attributes", "*.txt diff=e\n");
      place.config("diff.e.textconv", place.program);
    },
    args: ["diff"],
  },
  {
    what: "textconv named by core.attributesFile",
    set: (place) => {
      place.write(join(place.base, "attributes"), "*.txt diff=e\n");
      setting(["core.attributesFile", join(place.base, "attributes")], ["diff.e.textconv"])(place);
    },
    args: ["diff"],
  },
  {
    what: "textconv of a driver git knows by itself",
    set: driver("diff=python", ["diff.python.textconv"]),
    args: ["diff"],
  },
  {
    what: "textconv as shell text",
    set: (place) => driver("diff=e", ["diff.e.textconv", `sh -c "${place.program} $0"`])(place),
    args: ["diff"],
  },
  { what: "command of a driver", set: driver("diff=e", ["diff.e.command"]), args: ["diff"] },
  { what: "external diff", set: setting(["diff.external"]), args: ["diff"] },
  {
    what: "external diff in the environment",
    set: () => {},
    env: ({ program }) => ({ GIT_EXTERNAL_DIFF: program }),
    args: ["diff"],
  },
  { what: "clean filter at status", set: driver("filter=e", ["filter.e.clean"]), args: ["status"] },
  { what: "clean filter at diff", set: driver("filter=e", ["filter.e.clean"]), args: ["diff"] },
  {
    what: "clean filter that is required",
    set: driver("filter=e", ["filter.e.clean"], ["filter.e.required", "true"]),
    args: ["diff"],
  },
  { what: "process filter", set: driver("filter=e", ["filter.e.process"]), args: ["diff"] },
  { what: "filter named lfs", set: driver("filter=lfs diff=lfs", ["filter.lfs.clean"]), args: ["diff"] },
  { what: "smudge filter", set: driver("filter=e", ["filter.e.smudge"]), args: ["checkout-index", "-f", "-a"] },
  {
    what: "smudge filter at archive",
    set: driver("filter=e", ["filter.e.smudge"]),
    args: ["archive", "--worktree-attributes", "--format=tar", "HEAD"],
  },
  { what: "monitor", set: setting(["core.fsmonitor"]), args: ["status"] },
  {
    what: "monitor of the first version",
    set: setting(["core.fsmonitor"], ["core.fsmonitorHookVersion", "1"]),
    args: ["status"],
  },
  { what: "monitor at ls-files", set: setting(["core.fsmonitor"]), args: ["ls-files", "-m"] },
  { what: "monitor at diff", set: setting(["core.fsmonitor"]), args: ["diff"] },
  {
    what: "hook after the index changes",
    set: (place) => {
      place.write("a.txt", "one\n");
      hook("post-index-change")(place);
    },
    args: ["status"],
  },
  { what: "hook before a commit", set: hook("pre-commit"), args: ["commit", "-am", "x"] },
  { what: "hook that writes the message", set: hook("prepare-commit-msg"), args: ["commit", "-am", "x"] },
  { what: "hook for references", set: hook("reference-transaction"), args: ["update-ref", "refs/heads/x", "HEAD"] },
  { what: "hook after checkout", set: hook("post-checkout"), args: ["checkout", "-b", "x"] },
  {
    what: "hooks of another directory",
    set: (place) => {
      place.write("hooks/pre-commit", `#!/bin/sh\n${place.program} </dev/null\n`, 0o755);
      place.config("core.hooksPath", "hooks");
    },
    args: ["commit", "-am", "x"],
  },
  { what: "alias", set: (place) => place.config("alias.st", `!${place.program}`), args: ["st"] },
  { what: "pager", set: setting(["core.pager"]), args: ["log"], atTerminal: true },
  { what: "pager of one command", set: setting(["pager.status"]), args: ["status"], atTerminal: true },
  {
    what: "pager in the environment",
    set: () => {},
    env: ({ program }) => ({ GIT_PAGER: program }),
    args: ["log"],
    atTerminal: true,
  },
  { what: "editor", set: setting(["core.editor"]), args: ["commit", "--amend"] },
  {
    what: "editor in the environment",
    set: () => {},
    env: ({ program }) => ({ GIT_EDITOR: program }),
    args: ["commit", "--amend"],
  },
  {
    what: "editor of a sequence",
    set: (place) => {
      clean(place);
      place.git("commit", "--allow-empty", "-qm", "x");
      setting(["sequence.editor"])(place);
    },
    args: ["rebase", "-i", "HEAD~1"],
  },
  {
    what: "included settings",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.base, "more"), textconvFile(place));
      place.config("include.path", join(place.base, "more"));
    },
    args: ["diff"],
  },
  {
    what: "settings included for this directory",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.base, "more"), textconvFile(place));
      place.config(`includeIf.gitdir:${place.root}/.path`, join(place.base, "more"));
    },
    args: ["diff"],
  },
  {
    what: "settings included for this branch",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.base, "more"), textconvFile(place));
      place.config("includeIf.onbranch:main.path", join(place.base, "more"));
    },
    args: ["diff"],
  },
  {
    what: "settings of this work tree",
    set: (place) => {
      place.config("extensions.worktreeConfig", "true");
      place.git("config", "--worktree", "core.fsmonitor", place.program);
    },
    args: ["status"],
  },
  {
    what: "settings of the user",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.home, ".gitconfig"), textconvFile(place));
    },
    args: ["diff"],
  },
  {
    what: "settings of the user below .config",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.home, ".config/git/config"), textconvFile(place));
    },
    args: ["diff"],
  },
  {
    what: "settings of the user by a variable",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.base, "more"), textconvFile(place));
    },
    env: ({ base }) => ({ GIT_CONFIG_GLOBAL: join(base, "more") }),
    args: ["diff"],
  },
  {
    what: "settings of the system by a variable",
    set: (place) => {
      attribute("diff=e")(place);
      place.write(join(place.base, "more"), textconvFile(place));
    },
    env: ({ base }) => ({ GIT_CONFIG_SYSTEM: join(base, "more"), GIT_CONFIG_NOSYSTEM: "0" }),
    args: ["diff"],
  },
  {
    what: "settings in variables",
    set: attribute("diff=e"),
    env: ({ program }) => ({ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "diff.e.textconv", GIT_CONFIG_VALUE_0: program }),
    args: ["diff"],
  },
  {
    what: "settings passed from another git",
    set: attribute("diff=e"),
    env: ({ program }) => ({ GIT_CONFIG_PARAMETERS: `'diff.e.textconv'='${program}'` }),
    args: ["diff"],
  },
  {
    what: "another repository by a variable",
    set: (place) => {
      place.git("clone", "--quiet", "--bare", ".", join(place.base, "evil"));
      attribute("diff=e")(place);
      place.git("--git-dir", join(place.base, "evil"), "config", "diff.e.textconv", place.program);
      place.git("--git-dir", join(place.base, "evil"), "config", "core.bare", "false");
      place.git("--git-dir", join(place.base, "evil"), "read-tree", "HEAD");
    },
    env: ({ base, root }) => ({ GIT_DIR: join(base, "evil"), GIT_WORK_TREE: root }),
    args: ["diff"],
  },
  {
    what: "a git directory somewhere else",
    set: (place) => {
      driver("diff=e", ["diff.e.textconv"])(place);
      place.git("init", "--quiet", `--separate-git-dir=${join(place.base, "elsewhere")}`);
    },
    args: ["diff"],
  },
  {
    what: "a common directory somewhere else",
    set: (place) => {
      attribute("diff=e")(place);
      place.git("clone", "--quiet", "--bare", ".", "evil");
      place.git("-C", "evil", "config", "diff.e.textconv", place.program);
      place.git("-C", "evil", "config", "core.bare", "false");
      place.write(".git/commondir", "../evil\n");
    },
    args: ["diff"],
  },
  {
    what: "a second work tree",
    set: (place) => {
      driver("diff=e", ["diff.e.textconv"])(place);
      place.git("add", "-A");
      place.git("commit", "-qm", "x");
    },
    args: ["log", "-p"],
  },
  { what: "monitor of a submodule", set: (place) => submodule(place, "core.fsmonitor"), args: ["status"] },
  { what: "monitor of a submodule at diff", set: (place) => submodule(place, "core.fsmonitor"), args: ["diff"] },
  { what: "filter of a submodule", set: (place) => submodule(place, "filter.e.clean", "filter=e"), args: ["status"] },
  {
    what: "textconv of a submodule",
    set: (place) => {
      submodule(place, "diff.e.textconv", "diff=e");
      place.config("diff.submodule", "diff");
    },
    args: ["diff"],
  },
  {
    what: "program that verifies signatures",
    set: (place) => {
      setting(["gpg.program"], ["log.showSignature", "true"])(place);
      signed(place);
    },
    args: ["log"],
  },
  {
    what: "program that verifies x509 signatures",
    set: (place) => {
      setting(["gpg.format", "x509"], ["gpg.x509.program"], ["log.showSignature", "true"])(place);
      signed(place);
    },
    args: ["log"],
  },
  {
    what: "program that verifies ssh signatures",
    set: (place) => {
      place.write(join(place.base, "signers"), "");
      setting(
        ["gpg.format", "ssh"],
        ["gpg.ssh.program"],
        ["gpg.ssh.allowedSignersFile", join(place.base, "signers")],
        ["log.showSignature", "true"],
      )(place);
      signed(place);
    },
    args: ["log"],
  },
  {
    what: "signature asked for by the format",
    set: (place) => {
      setting(["gpg.program"], ["format.pretty", "%h %G?"])(place);
      signed(place);
    },
    args: ["log"],
  },
  {
    what: "program that signs",
    set: setting(["gpg.program"], ["commit.gpgSign", "true"]),
    args: ["commit", "-am", "x"],
  },
  {
    what: "merge driver",
    set: (place) => {
      conflict(place);
      driver("merge=e", ["merge.e.driver"])(place);
    },
    args: ["merge", "other"],
  },
  { what: "ssh command", set: setting(["core.sshCommand"]), args: ["fetch", "ssh://localhost/x"] },
  {
    what: "ssh command in the environment",
    set: () => {},
    env: ({ program }) => ({ GIT_SSH_COMMAND: program }),
    args: ["fetch", "ssh://localhost/x"],
  },
  { what: "proxy command", set: setting(["core.gitProxy"]), args: ["fetch", "git://localhost/x"] },
  {
    what: "transport that is a command",
    set: setting(["protocol.ext.allow", "always"]),
    args: ["fetch", "ext::PROGRAM"],
  },
  {
    what: "remote that is a command",
    set: (place) => setting(["protocol.ext.allow", "always"], ["remote.origin.url", `ext::${place.program}`])(place),
    args: ["fetch", "origin"],
  },
  {
    what: "address that becomes a command",
    set: (place) =>
      setting(["protocol.ext.allow", "always"], [`url.ext::${place.program} .insteadOf`, "https://localhost/"])(place),
    args: ["fetch", "https://localhost/x"],
  },
  {
    what: "program at the other end",
    set: setting(["remote.origin.url", "."], ["remote.origin.uploadpack"]),
    args: ["fetch", "origin"],
  },
  {
    what: "objects fetched when they are missed",
    set: (place) => {
      const object = place.git("rev-parse", "HEAD:a.txt").trim();
      rmSync(join(place.root, ".git/objects", object.slice(0, 2), object.slice(2)));
      setting(
        ["core.repositoryformatversion", "1"],
        ["extensions.partialClone", "origin"],
        ["protocol.ext.allow", "always"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", `ext::${place.program}`],
      )(place);
    },
    args: ["diff"],
  },
  { what: "credential helper", set: setting(["credential.helper"]), args: ["credential", "fill"] },
  { what: "password program", set: setting(["core.askPass"]), args: ["credential", "fill"] },
  {
    what: "diff viewer",
    set: (place) => setting(["diff.tool", "e"], ["difftool.e.cmd", place.program])(place),
    args: ["difftool", "-y"],
  },
  {
    what: "merge viewer",
    set: (place) => {
      conflict(place);
      setting(["merge.tool", "e"], ["mergetool.e.cmd", place.program])(place);
      try {
        place.git("merge", "other");
      } catch {
        /* the conflict is wanted */
      }
    },
    args: ["mergetool", "-y"],
  },
  {
    what: "trailer command",
    set: (place) => setting(["trailer.e.key", "E"], ["trailer.e.cmd", place.program])(place),
    args: ["interpret-trailers", "--trailer", "e=x"],
  },
  {
    what: "archive format",
    set: (place) => place.config("tar.e.command", place.program),
    args: ["archive", "--format=e", "HEAD"],
  },
  {
    what: "a git of the project's own in PATH",
    set: (place) => {
      place.write("bin/git", `#!/bin/sh\nexec ${place.program} </dev/null\n`, 0o755);
    },
    env: ({ root }) => ({ PATH: `${join(root, "bin")}:${process.env.PATH}` }),
    args: ["status"],
  },
  {
    what: "a directory of programs by a variable",
    set: (place) => {
      place.write(join(place.base, "exec/git-st"), `#!/bin/sh\nexec ${place.program} </dev/null\n`, 0o755);
      symlinkSync("/usr/bin/git", join(place.base, "exec/git"));
    },
    env: ({ base }) => ({ GIT_EXEC_PATH: join(base, "exec") }),
    args: ["st"],
  },
];
