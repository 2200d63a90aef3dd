import { join } from "node:path";
import { PermissionsFile, type PolicyRule } from "@muster/codebuff-protocol";
import type { RememberRules, RuleScope } from "@muster/codebuff-workspace";
import { changeSettings, readSettings, type SettingsChange, type SettingsFile } from "../settings/settings-file.ts";
import { userFile } from "../settings/user-config.ts";
import { projectConfigItem, projectFile } from "./project-config.ts";
import { howToTrust, type Trust, type TrustItem } from "./trust.ts";

/** Where rules of a project are kept that its people have made by answering. */
export function permissionsFile(root: string): SettingsFile<typeof PermissionsFile> {
  return { path: join(root, ".codebuff", "permissions.json"), schema: PermissionsFile, links: "refused", mode: 0o644 };
}

/** The rules of `.codebuff/permissions.json`. What allows something counts once it was accepted: a project must not grant itself anything. */
export async function readProjectRules(
  root: string,
  trust: Trust,
  warn: (message: string) => void,
): Promise<PolicyRule[]> {
  const file = permissionsFile(root);
  const { settings } = await readSettings(file, warn);
  const held: PolicyRule[] = [];
  let left = 0;
  for (const rule of settings.rules) {
    if (rule.effect !== "allow" || (await trust.accepts(itemOf(file.path, rule)))) held.push(rule);
    else left += 1;
  }
  if (left > 0)
    warn(
      `${file.path}: ${left} ${left === 1 ? "rule that allows" : "rules that allow"} something not used: not accepted yet; ${howToTrust}`,
    );
  return held;
}

export async function projectRuleItems(root: string): Promise<TrustItem[]> {
  const file = permissionsFile(root);
  const { settings } = await readSettings(file, () => undefined);
  return settings.rules.filter(({ effect }) => effect === "allow").map((rule) => itemOf(file.path, rule));
}

function itemOf(path: string, rule: PolicyRule): TrustItem {
  return { kind: "rule", path, content: JSON.stringify(rule) };
}

/** Writes rules down. What a person allows in a project is accepted with it, and nothing else of the project is. */
export function rulesKeeper({ root, home, trust }: { root: string; home: string; trust: Trust }): RememberRules {
  return async (rules, scope) => {
    if (scope === "everywhere") {
      await changeSettings(userFile(home), ({ permissions }) => [
        ...(typeof permissions === "string" ? [{ at: ["permissions"], value: { mode: permissions } }] : []),
        ...appended(["permissions", "rules"], rules, rulesIn(permissions)),
      ]);
      return;
    }
    const file = permissionsFile(root);
    await changeSettings(file, (given) => appended(["rules"], rules, rulesIn(given)));
    await trust.accept(rules.filter(({ effect }) => effect === "allow").map((rule) => itemOf(file.path, rule)));
  };
}

function rulesIn(given: unknown): readonly unknown[] {
  const rules: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "rules") : undefined;
  return Array.isArray(rules) ? rules : [];
}

/** At the end of the list, and none twice. */
function appended(at: readonly string[], rules: readonly PolicyRule[], there: readonly unknown[]): SettingsChange[] {
  const known = new Set(there.map((rule) => JSON.stringify(rule)));
  const added = rules.filter((rule) => !known.has(JSON.stringify(rule)));
  if (there.length === 0) return added.length === 0 ? [] : [{ at: [...at], value: added }];
  return added.map((value, n) => ({ at: [...at, there.length + n], value, inserts: true }));
}

export interface ListedRule {
  readonly rule: PolicyRule;
  readonly scope: RuleScope;
  readonly path: string;
  /** False: it would allow something, and nobody has accepted that yet. */
  readonly holds: boolean;
  /** Its place in the list of its file. */
  readonly at: number;
  /** `codebuff.json` is written by hand; the rest is taken back with a command. */
  readonly file: "user" | "permissions" | "project";
}

/** Every rule that concerns this project. */
export async function listRules({
  root,
  home,
  trust,
  warn,
}: {
  root: string;
  home: string;
  trust: Trust;
  warn: (message: string) => void;
}): Promise<ListedRule[]> {
  const [user, own, project] = [userFile(home), permissionsFile(root), await projectFile(root)];
  const [ofUser, ofOwn, ofProject] = await Promise.all([
    readSettings(user, warn),
    readSettings(own, warn),
    readSettings(project, warn),
  ]);
  const listed: ListedRule[] = (ofUser.settings.permissions?.rules ?? []).map((rule, at) => {
    return { rule, scope: "everywhere", path: user.path, holds: true, at, file: "user" };
  });
  for (const [at, rule] of ofOwn.settings.rules.entries()) {
    const holds = rule.effect !== "allow" || (await trust.untrusted([itemOf(own.path, rule)])).length === 0;
    listed.push({ rule, scope: "project", path: own.path, holds, at, file: "permissions" });
  }
  const item = projectConfigItem(project.path, ofProject.settings);
  const isAccepted = item === undefined || (await trust.untrusted([item])).length === 0;
  for (const [at, rule] of (ofProject.settings.permissions?.rules ?? []).entries()) {
    listed.push({
      rule,
      scope: "project",
      path: project.path,
      holds: isAccepted || rule.effect !== "allow",
      at,
      file: "project",
    });
  }
  return listed;
}

/** Takes a rule back where it is written. */
export async function removeRule(
  { rule, at, file }: ListedRule,
  { root, home }: { root: string; home: string },
): Promise<void> {
  const isStill = (rules: readonly unknown[]) => JSON.stringify(rules[at]) === JSON.stringify(rule);
  const taken = (path: (string | number)[], rules: readonly unknown[]) =>
    isStill(rules) ? [{ at: path, value: undefined }] : [];
  if (file === "user")
    return changeSettings(userFile(home), ({ permissions }) =>
      taken(["permissions", "rules", at], rulesIn(permissions)),
    );
  if (file === "permissions")
    return changeSettings(permissionsFile(root), (given) => taken(["rules", at], rulesIn(given)));
  return changeSettings(await projectFile(root), ({ permissions }) =>
    taken(["permissions", "rules", at], rulesIn(permissions)),
  );
}
