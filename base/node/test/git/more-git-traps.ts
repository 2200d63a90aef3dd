import { cpSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Trap, TrapPlace } from "./git-traps.ts";

type Set = Trap["set"];
type Values = Readonly<Record<string, string>>;

/** Settings by their keys; an empty value is the program. */
const settings =
  (values: Values): Set =>
  (place) => {
    for (const [key, value] of Object.entries(values)) place.config(key, value || place.program);
  };

const attributes =
  (text: string, values: Values, file = ".gitattributes"): Set =>
  (place) => {
    place.write(file.startsWith("~") ? join(place.home, file.slice(2)) : file, `${text}\n`);
    settings(values)(place);
  };

const hook = (name: string, directory = ".git/hooks"): Set => {
  return (place) => place.write(`${directory}/${name}`, `#!/bin/sh\nexec ${place.program} </dev/null\n`, 0o755);
};

const both =
  (...steps: readonly Set[]): Set =>
  (place) => {
    for (const step of steps) step(place);
  };

const run =
  (...args: readonly string[]): Set =>
  (place) =>
    void place.git(...args);

const textconv = ({ program }: TrapPlace) => `[diff "e"]\n\ttextconv = ${program}\n`;
const monitor = ({ program }: TrapPlace) => `[core]\n\tfsmonitor = ${program}\n`;

/** A second branch that changes the same line. */
const branched = both(run("checkout", "-q", "--", "a.txt"), run("checkout", "-q", "-b", "other"), (place) => {
  place.write("a.txt", "other\n");
  place.git("commit", "-qam", "other");
  place.git("checkout", "-q", "main");
  place.write("a.txt", "main\n");
  place.git("commit", "-qam", "main");
});

const trap = (what: string, args: string, set: Set, more: Partial<Trap> = {}): Trap => {
  return { what: `second: ${what}`, set, args: args.split(" "), ...more };
};

const filter = { "filter.e.clean": "" };

/** Ways of git to run a program that are not among the first ones. */
export const secondTraps: readonly Trap[] = [
  trap("filter by info/attributes", "status", attributes("* filter=e", filter, ".git/info/attributes")),
  trap("filter by the user's attributes", "status", attributes("* filter=e", filter, "~/.config/git/attributes")),
  trap("filter by a macro", "status", attributes("[attr]evil filter=e\n*.txt evil", filter)),
  trap("filter at describe", "describe --always --dirty", attributes("* filter=e", filter)),
  trap("filter at diff --stat", "diff --stat", attributes("* filter=e", filter)),
  trap("filter at diff-files", "diff-files -p", attributes("* filter=e", filter)),
  trap("filter at diff-index", "diff-index -p HEAD", attributes("* filter=e", filter)),
  trap("filter at add", "add a.txt", attributes("* filter=e", filter)),
  trap("filter at stash", "stash", attributes("* filter=e", filter)),
  trap("filter at commit", "commit -qam x", attributes("* filter=e", filter)),
  trap("filter at blame", "blame a.txt", attributes("* filter=e", filter)),
  trap("filter at hash-object", "hash-object a.txt", attributes("* filter=e", filter)),
  trap("filter at update-index", "update-index a.txt", attributes("* filter=e", filter)),
  trap("smudge at reset", "reset -q --hard", attributes("* filter=e", { "filter.e.smudge": "" })),
  trap("smudge at restore", "restore a.txt", attributes("* filter=e", { "filter.e.smudge": "" })),
  trap("smudge by a process", "checkout -- a.txt", attributes("* filter=e", { "filter.e.process": "" })),
  trap("smudge at cat-file", "cat-file --filters HEAD:a.txt", attributes("* filter=e", { "filter.e.smudge": "" })),
  trap("textconv by a macro", "diff", attributes("[attr]evil diff=e\n* evil", { "diff.e.textconv": "" })),
  trap("textconv of any file", "diff --stat -p", attributes("* diff=e", { "diff.e.textconv": "" })),
  trap("textconv at log -G", "log -Gone", attributes("* diff=e", { "diff.e.textconv": "" })),
  trap(
    "textconv of a binary",
    "diff",
    attributes("* -text diff=e", { "diff.e.textconv": "", "diff.e.binary": "true" }),
  ),
  trap("external diff at log", "log -p --ext-diff", settings({ "diff.external": "" })),
  trap("external driver at show", "show --ext-diff", attributes("* diff=e", { "diff.e.command": "" })),
  trap("external diff at difftool", "difftool -y -t e", settings({ "difftool.e.cmd": "", "diff.external": "" })),
  trap("diff viewer by its path", "difftool -y -t vimdiff", settings({ "difftool.vimdiff.path": "" })),
  trap("monitor at describe", "describe --always --dirty", settings({ "core.fsmonitor": "" })),
  trap("monitor at diff-index", "diff-index HEAD", settings({ "core.fsmonitor": "" })),
  trap("monitor at add", "add a.txt", settings({ "core.fsmonitor": "" })),
  trap("monitor at stash", "stash", settings({ "core.fsmonitor": "" })),
  trap("monitor by an alias", "st", (place) => place.config("alias.st", `-c core.fsmonitor=${place.program} status`)),
  trap("alias of an alias", "one", (place) =>
    settings({ "alias.one": "two", "alias.two": `!${place.program}` })(place),
  ),
  trap("settings included twice over", "status", (place) => {
    place.write("one", "[include]\n\tpath = two\n");
    place.write("two", monitor(place));
    place.config("include.path", "../one");
  }),
  trap("settings included for a remote", "status", (place) => {
    place.write("more", monitor(place));
    settings({ "remote.o.url": "https://localhost/x", "includeIf.hasconfig:remote.*.url:https://**.path": "../more" })(
      place,
    );
  }),
  trap("settings included whatever the case", "status", (place) => {
    place.write("more", monitor(place));
    place.config(`includeIf.gitdir/i:${place.root.toUpperCase()}/.path`, "../more");
  }),
  trap("settings included by the work tree's", "status", (place) => {
    place.write("more", monitor(place));
    place.config("extensions.worktreeConfig", "true");
    place.write(".git/config.worktree", "[include]\n\tpath = ../more\n");
  }),
  trap("settings that are a link", "status", (place) => {
    settings({ "core.fsmonitor": "" })(place);
    renameSync(join(place.root, ".git/config"), join(place.base, "config"));
    symlinkSync(join(place.base, "config"), join(place.root, ".git/config"));
  }),
  trap("settings below another XDG directory", "diff", attributes("* diff=e", {}), {
    env: (place) => {
      place.write(join(place.base, "xdg/git/config"), textconv(place));
      return { XDG_CONFIG_HOME: join(place.base, "xdg") };
    },
  }),
  trap("hooks of the user", "commit -qam x", (place) => {
    hook("pre-commit", join(place.home, "hooks"))(place);
    place.write(join(place.home, ".gitconfig"), `[core]\n\thooksPath = ${place.home}/hooks\n`);
  }),
  trap("a git directory that is a link", "status", (place) => {
    settings({ "core.fsmonitor": "" })(place);
    renameSync(join(place.root, ".git"), join(place.base, "elsewhere"));
    symlinkSync(join(place.base, "elsewhere"), join(place.root, ".git"));
  }),
  trap("a file that names a git directory of the project", "status", (place) => {
    settings({ "core.fsmonitor": "" })(place);
    renameSync(join(place.root, ".git"), join(place.root, "evil"));
    place.write(".git", "gitdir: evil\n");
  }),
  trap("a directory that is a repository itself", "status", (place) => {
    settings({ "core.fsmonitor": "", "core.bare": "false", "core.worktree": "." })(place);
    cpSync(join(place.root, ".git"), place.root, { recursive: true });
    rmSync(join(place.root, ".git"), { recursive: true });
  }),
  trap("a common directory by a variable", "status", () => {}, {
    env: (place) => {
      cpSync(join(place.root, ".git"), join(place.base, "evil"), { recursive: true });
      place.git("--git-dir", join(place.base, "evil"), "config", "core.fsmonitor", place.program);
      return { GIT_DIR: join(place.root, ".git"), GIT_WORK_TREE: place.root, GIT_COMMON_DIR: join(place.base, "evil") };
    },
  }),
  ...["commit-msg", "post-commit", "reference-transaction"].map((name) =>
    trap(`hook ${name}`, "commit -qam x", hook(name)),
  ),
  trap("hook pre-merge-commit", "merge -q -s ours other", both(branched, hook("pre-merge-commit"))),
  trap("hook post-merge", "merge -q -s ours other", both(branched, hook("post-merge"))),
  trap("hook pre-rebase", "rebase -q other", both(branched, hook("pre-rebase"))),
  trap("hook post-rewrite", "commit -q --amend --no-edit", hook("post-rewrite")),
  trap("hook pre-push", "push -q . main:x", hook("pre-push")),
  ...["pre-receive", "update", "post-receive", "post-update"].map((name) =>
    trap(`hook ${name}`, "push -q . main:x", hook(name)),
  ),
  trap(
    "merge driver at cherry-pick",
    "cherry-pick other",
    both(branched, attributes("* merge=e", { "merge.e.driver": "" })),
  ),
  trap(
    "merge driver by default",
    "merge other",
    both(branched, settings({ "merge.default": "e", "merge.e.driver": "" })),
  ),
  trap("merge viewer by its path", "mergetool -y -t vimdiff", (place) => {
    branched(place);
    settings({ "mergetool.vimdiff.path": "" })(place);
    try {
      place.git("merge", "other");
    } catch {
      /* the conflict is wanted */
    }
  }),
  trap("credential helper of one address", "credential fill", settings({ "credential.https://localhost.helper": "" })),
  trap("credential helper as shell text", "credential fill", (place) =>
    place.config("credential.helper", `!${place.program};:`),
  ),
  trap("password program in the environment", "credential fill", () => {}, {
    env: ({ program }) => ({ SSH_ASKPASS: program }),
  }),
  trap(
    "program at the other end of a push",
    "push origin main:x",
    settings({ "remote.origin.url": ".", "remote.origin.receivepack": "" }),
  ),
  trap("remote in a file of its own", "fetch evil", (place) => {
    place.config("protocol.ext.allow", "always");
    place.write(".git/remotes/evil", `URL: ext::${place.program}\n`);
  }),
  trap("remote in a file of branches", "fetch evil", (place) => {
    place.config("protocol.ext.allow", "always");
    place.write(".git/branches/evil", `ext::${place.program}\n`);
  }),
  trap("address that becomes a command at a push", "push https://localhost/x main", (place) =>
    settings({ "protocol.ext.allow": "always", [`url.ext::${place.program} .pushInsteadOf`]: "https://localhost/" })(
      place,
    ),
  ),
  trap("ssh program in the environment", "ls-remote ssh://localhost/x", () => {}, {
    env: ({ program }) => ({ GIT_SSH: program }),
  }),
  trap(
    "ssh command of a submodule's address",
    "ls-remote localhost:x",
    settings({ "core.sshCommand": "", "ssh.variant": "simple" }),
  ),
  trap("program that signs tags", "tag -m x x", settings({ "gpg.program": "", "tag.gpgSign": "true" })),
  trap("program for openpgp", "commit -S -qam x", settings({ "gpg.openpgp.program": "" })),
  trap("program for x509", "commit -S -qam x", settings({ "gpg.format": "x509", "gpg.x509.program": "" })),
  trap(
    "command that finds the key",
    "commit -S -qam x",
    settings({ "gpg.format": "ssh", "gpg.ssh.defaultKeyCommand": "" }),
  ),
  trap("viewer of the manual", "help -m status", settings({ "man.viewer": "e", "man.e.cmd": "" })),
  trap("browser", "web--browse a.txt", settings({ "web.browser": "e", "browser.e.cmd": "" })),
  trap(
    "trailer by the older key",
    "interpret-trailers --trailer e=x",
    settings({ "trailer.e.key": "E", "trailer.e.command": "" }),
  ),
  trap("format git has by itself", "archive --format=tgz HEAD", settings({ "tar.tgz.command": "" })),
  trap("update of a submodule", "submodule update", (place) => {
    place.git("init", "--quiet", "sub");
    place.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "inside");
    place.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n');
    place.git("add", "-A");
    place.git("commit", "-qm", "submodule");
    place.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "more");
    settings({
      "submodule.sub.url": "./sub",
      "submodule.sub.active": "true",
      "submodule.sub.update": `!${place.program}`,
    })(place);
  }),
  trap("editor of a tag", "tag -a x", settings({ "core.editor": "" })),
  trap("editor of a description", "branch --edit-description", settings({ "core.editor": "" })),
  trap("editor of notes", "notes edit", settings({ "core.editor": "" })),
  trap("editor of settings", "config -e", settings({ "core.editor": "" })),
  trap("editor by VISUAL", "commit --amend", () => {}, { env: ({ program }) => ({ VISUAL: program, TERM: "xterm" }) }),
  trap("editor by EDITOR", "commit --amend", () => {}, { env: ({ program }) => ({ EDITOR: program }) }),
  trap("pager of diff", "diff", settings({ "pager.diff": "" }), { atTerminal: true }),
  trap("pager of branches", "branch", settings({ "pager.branch": "" }), { atTerminal: true }),
  trap("pager by PAGER", "log", () => {}, { atTerminal: true, env: ({ program }) => ({ PAGER: program }) }),
];
