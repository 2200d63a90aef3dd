import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HookCommand, type HookEventName, HookFile, HookGroup, isHookEventName } from "@muster/codebuff-protocol";
import { parseJson } from "@muster/core";
import { readGuardedText, readRegular } from "@muster/node";
import { howToTrust, type Trust, type TrustItem } from "../load/trust.ts";

/** One command that runs at an event. */
export interface Hook {
  readonly event: HookEventName;
  /** Undefined: whatever the event is about. */
  readonly matcher: RegExp | undefined;
  readonly command: string;
  readonly timeoutMs: number;
  /** The person's own; else the project's, which the person has accepted. */
  readonly isOwn: boolean;
}

export interface HookPlace {
  readonly root: string;
  readonly home: string;
}

const usualMs = 60_000;

/** The hooks of the person and of the project, in the order of their files. A project's are left out until they are accepted. */
export async function readHooks(
  { root, home }: HookPlace,
  trust: Trust,
  warn: (message: string, code?: "untrusted") => void,
): Promise<Hook[]> {
  const files = root === home ? ownFiles(home) : [...ownFiles(home), ...projectFiles(root)];
  const all: Hook[] = [];
  for (const { path, isOwn } of files) {
    const file = await readHookFile(path, isOwn, warn);
    if (file === undefined) continue;
    // What the person switched off for themselves is off in every project.
    if (file.disableAllHooks === true) return isOwn ? [] : all.filter((hook) => hook.isOwn);
    if (Object.keys(file.hooks ?? {}).length === 0) continue;
    if (!isOwn && !(await trust.accepts(await hookItem(root, path, file)))) {
      warn(`${path}: its hooks are not used: they have not been accepted yet; ${howToTrust}`, "untrusted");
      continue;
    }
    all.push(...hooksOf(file, { path, isOwn, warn }));
  }
  return all;
}

/** The hooks a project brings, for a person to accept. */
export async function projectHookItems({ root, home }: HookPlace): Promise<TrustItem[]> {
  if (root === home) return [];
  const items = projectFiles(root).map(async ({ path }) => {
    const file = await readHookFile(path, false, () => undefined);
    return file === undefined || Object.keys(file.hooks ?? {}).length === 0 ? [] : [await hookItem(root, path, file)];
  });
  return (await Promise.all(items)).flat();
}

function ownFiles(home: string) {
  return [".claude/settings.json", ".agents/hooks.json"].map((name) => ({ path: join(home, name), isOwn: true }));
}

function projectFiles(root: string) {
  const names = [".claude/settings.json", ".claude/settings.local.json", ".agents/hooks.json"];
  return names.map((name) => ({ path: join(root, name), isOwn: false }));
}

async function readHookFile(
  path: string,
  isOwn: boolean,
  warn: (message: string) => void,
): Promise<HookFileContent | undefined> {
  const read = await readGuardedText(path, { links: isOwn ? "followed" : "refused" });
  if (read === undefined) return undefined;
  if ("refusal" in read) {
    warn(`${path} is not used: ${read.refusal}`);
    return undefined;
  }
  const file = HookFile.safeParse(parseJson(read.text));
  if (file.success) return file.data;
  warn(`${path}: its hooks cannot be read`);
  return undefined;
}

type HookFileContent = (typeof HookFile)["_output"];

function hooksOf(
  { hooks = {} }: HookFileContent,
  { path, isOwn, warn }: { path: string; isOwn: boolean; warn: (message: string) => void },
): Hook[] {
  return Object.entries(hooks).flatMap(([event, groups]) => {
    if (!isHookEventName(event)) {
      warn(`${path}: there is no event ${event} here; its hooks do not run`);
      return [];
    }
    return groups.flatMap((given, at) => {
      const group = HookGroup.safeParse(given);
      const matcher = group.success ? matcherOf(group.data.matcher) : "wrong";
      if (!group.success || matcher === "wrong") {
        warn(`${path}: hooks.${event}[${at}] has no list of hooks, or a matcher that is no pattern`);
        return [];
      }
      return group.data.hooks.flatMap((one, which) => {
        const command = HookCommand.safeParse(one);
        if (!command.success) {
          warn(`${path}: hooks.${event}[${at}].hooks[${which}] is no command; other kinds of hooks do not run here`);
          return [];
        }
        const { command: text, timeout } = command.data;
        const timeoutMs = timeout === undefined ? usualMs : Math.min(timeout, 600) * 1000;
        return [{ event, matcher, command: text, timeoutMs, isOwn }];
      });
    });
  });
}

/** The whole of a name has to fit, as in `Edit|Write`; nothing and `*` fit every one. */
function matcherOf(given: string | undefined): RegExp | undefined | "wrong" {
  if (given === undefined || given === "" || given === "*") return undefined;
  try {
    return new RegExp(`^(?:${given})$`);
  } catch {
    return "wrong";
  }
}

const scriptFolders = [".claude/hooks", ".agents/hooks"];

/** What a hook runs is mostly a script beside it: another script is another hook, and has to be accepted again. */
async function hookItem(root: string, path: string, { hooks }: HookFileContent): Promise<TrustItem> {
  const scripts: Record<string, string> = {};
  for (const folder of scriptFolders) {
    for (const name of (await readdir(join(root, folder)).catch(() => [])).sort()) {
      const bytes = await readRegular(join(root, folder, name)).catch(() => undefined);
      if (bytes !== undefined) scripts[`${folder}/${name}`] = createHash("sha256").update(bytes).digest("hex");
    }
  }
  const content = Object.keys(scripts).length === 0 ? { hooks } : { hooks, scripts };
  return { kind: "hooks", path, content: JSON.stringify(content, null, 2) };
}
