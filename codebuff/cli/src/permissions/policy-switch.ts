import type { PermissionPolicy } from "@muster/codebuff-protocol";
import type { Chat } from "../chat/chat.ts";
import { isPlan, type Settings } from "../run-options.ts";

/** What each policy does, for `/permissions`, `--help` and the documentation. */
export const policyHelp: Readonly<Record<PermissionPolicy, string>> = {
  default: "asks for every edit and every command not known to be read-only",
  "accept-edits": "lets edits inside the project pass, asks for commands",
  plan: "lets nothing be changed",
  ask: "asks only for what leaves the project or destroys",
  allow: "asks nothing; secret files stay closed",
  deny: "refuses what ask would ask for",
  sandboxed: "runs commands where they can write only inside the project, asks nothing",
};

/** What Shift-Tab goes through; every other policy is chosen by its name. */
const cycle: readonly PermissionPolicy[] = ["default", "accept-edits", "plan"];

/** The policy that holds in this chat. */
export function policyOf(settings: Settings): PermissionPolicy {
  return isPlan(settings) ? "plan" : (settings.permissions ?? "default");
}

/** Shift-Tab: default → accept-edits → plan → default. */
export function nextPolicy(chat: Chat): void {
  const at = cycle.indexOf(policyOf(chat.settings));
  switchPolicy(chat, cycle[(at + 1) % cycle.length] ?? "default");
}

/** At once: also the next call of a run that goes on is judged by it. */
export function switchPolicy(chat: Chat, policy: PermissionPolicy): void {
  const { mode } = chat.settings;
  chat.switchPermissions({ permissions: policy, mode: mode === "PLAN" && policy !== "plan" ? "DEFAULT" : mode });
}
