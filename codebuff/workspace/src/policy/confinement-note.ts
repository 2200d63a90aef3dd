import type { Permissions } from "./permissions.ts";

export type Confinement = "kernel" | "table";

export interface ConfiningPolicy {
  readonly writes?: "allowed" | "denied";
  readonly permissions?: Permissions;
  readonly network?: "allowed" | "denied";
}

/** What a model has to know about its terminal under a policy; stands in the tool's description. Empty: nothing special. */
export function confinementNote(confinement: Confinement, policy: ConfiningPolicy): string {
  // A description is read when an agent begins; the mode may change afterwards, and the sentence stays true.
  if (policy.writes === "denied") return `As long as this is PLAN mode: ${planNotes[confinement]}`;
  if (policy.permissions !== "sandboxed") return "";
  return confinement === "kernel" ? sandboxNote(policy.network ?? "denied") : planNotes.table;
}

const planNotes: Readonly<Record<Confinement, string>> = {
  kernel:
    "Commands run in a sandbox: the project and the whole machine are read-only, /tmp is private and empty for each command, there is no network. Any command may be tried; what it tries to write fails with 'Read-only file system'.",
  table:
    "Only commands known to be read-only run, such as ls, cat, rg, find, wc, git log, git diff and git status, alone or in pipelines and loops, with their full option names and without variable assignments. Everything else is refused.",
};

function sandboxNote(network: "allowed" | "denied"): string {
  const reach = network === "allowed" ? "The network can be reached." : "There is no network.";
  return `Commands run in a sandbox: they write inside the project only, /tmp is private and empty for each command. ${reach}`;
}
