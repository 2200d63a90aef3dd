import path from "node:path";
import { fileMarkers, isToolName, type ToolEffect, type ToolName, toolEffect } from "@muster/codebuff-protocol";
import type { FileAccess, OpenedPath, PlannedEdit, Verdict } from "../files/file-access.ts";
import { type Location, locate, type Project } from "../files/project.ts";
import { type CommandRisk, commandRisks } from "./command-risks.ts";
import type { AskingCall, AskPermission, PermissionAnswer, PermissionRequest } from "./permission-request.ts";
import { type Permissions, permissionTable } from "./permissions.ts";
import { onlyReads } from "./read-only-commands.ts";
import { type PolicyEffect, type PolicyRule, ruleForCommand, ruleForPath, ruleForTool } from "./rules.ts";
import { secrecyOf } from "./secrets.ts";

export interface GateOptions {
  readonly project: Project;
  readonly rules?: readonly PolicyRule[];
  readonly permissions?: Permissions;
  /** PLAN mode: nothing is written, whatever the rules say. */
  readonly writes?: "allowed" | "denied";
  /** Without it what would be asked is denied. */
  readonly ask?: AskPermission;
  readonly home?: string;
  /** What was allowed for always. Give the same set to several runs and it holds for all of them. */
  readonly granted?: Set<string>;
}

/** What the gate itself knows of a question; the call it belongs to is added when a person is asked. */
type Question = Omit<PermissionRequest, keyof AskingCall>;

const allowed: Verdict = { ok: true };

/** Decides about tools, paths and commands before they are used. Everything a tool touches passes here. */
export class Gate implements FileAccess {
  readonly #options: GateOptions;
  readonly #rules: readonly PolicyRule[];
  readonly #granted: Set<string>;
  #mode: { writes: "allowed" | "denied"; permissions: Permissions };
  #call: AskingCall | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#rules = options.rules ?? [];
    this.#granted = options.granted ?? new Set();
    this.#mode = { writes: options.writes ?? "allowed", permissions: options.permissions ?? "unattended" };
  }

  /** The same gate, whose questions are those of one call. Without a call nobody can be asked. */
  forCall(call: AskingCall): Gate {
    const gate = new Gate({ ...this.#options, granted: this.#granted });
    gate.#mode = this.#mode;
    gate.#call = call;
    return gate;
  }

  /** The user switched the mode in the middle of a session; what is judged from now on is judged by the new one. */
  switchTo(change: { writes?: "allowed" | "denied"; permissions?: Permissions }): void {
    this.#mode.writes = change.writes ?? this.#mode.writes;
    this.#mode.permissions = change.permissions ?? this.#mode.permissions;
  }

  /** `effect` is needed for tools that are not in the table; such a tool counts as writing unless it says otherwise. */
  async tool(name: string, effect: ToolEffect = isToolName(name) ? toolEffect(name) : "writes"): Promise<Verdict> {
    const isJudgedByCommand = name === "run_terminal_command" || name === "kill_terminal";
    if (this.#mode.writes === "denied" && (effect === "writes" || (effect === "runs" && !isJudgedByCommand)))
      return inPlan(name);
    const rule = ruleForTool(this.#rules, name);
    if (rule === undefined || rule.effect === "allow") return allowed;
    return this.#settle(rule.effect, {
      tool: name,
      action: "other",
      title: `Use the tool ${name}`,
      reason: rule.reason ?? "a rule asks for it",
    });
  }

  async open(tool: ToolName, given: string, use: "read" | "write"): Promise<OpenedPath> {
    let location: Location;
    try {
      location = await locate(this.#options.project, given);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, marker: fileMarkers.unreadable, message: `${given.replaceAll("\0", "\\0")}: ${message}` };
    }
    const verdict = await this.#path(tool, location, use);
    if (!verdict.ok) return { ok: false, marker: verdict.marker, message: verdict.message };
    return { ok: true, location, isTemplate: secrecyOf(location.path) === "template", asks: verdict.asks };
  }

  async approve({ tool, opened, diff }: PlannedEdit): Promise<Verdict> {
    const reasons = [...new Set(opened.flatMap(({ asks }) => asks ?? []))];
    const effect = permissionTable[this.#mode.permissions].edit;
    if (effect !== "allow") reasons.push("every edit is asked for");
    if (reasons.length === 0) return allowed;
    const paths = opened.map(({ location }) => location.path);
    const title = `Edit ${paths.join(", ")}`;
    const strict = effect === "deny" ? "deny" : "ask";
    return this.#settle(strict, { tool, action: "edit", title, paths, diff, reason: reasons.join("; ") });
  }

  /** `cwd` may be relative to the project. */
  async command(text: string, cwd?: string, tool = "run_terminal_command"): Promise<Verdict> {
    if (this.#mode.writes === "denied" && !onlyReads(text)) return inPlan(`this command (${text.slice(0, 80)})`);
    const rule = ruleForCommand(this.#rules, tool, text);
    const asked = { tool, action: "execute", title: `Run ${text}`, command: text } as const;
    if (rule !== undefined) {
      return this.#settle(rule.effect, { ...asked, reason: rule.reason ?? "a rule asks for it" });
    }
    const risks = await this.#risks(text, cwd);
    const table = permissionTable[this.#mode.permissions];
    for (const effect of ["deny", "ask"] as const) {
      const strict = risks.filter((risk) => table[risk.danger] === effect);
      if (strict.length > 0) return this.#settle(effect, { ...asked, reason: strict.map(describe).join("; ") });
    }
    return allowed;
  }

  /** Text typed into a running program: it may be a shell, so what destroys is judged like a command. */
  async typed(text: string, cwd?: string): Promise<Verdict> {
    if (this.#mode.writes === "denied") return inPlan("typing into a program");
    const risks = (await this.#risks(text, cwd)).filter((risk) => risk.danger === "destructive");
    if (risks.length === 0) return allowed;
    const reason = risks.map(describe).join("; ");
    const asked = { tool: "run_terminal_command", action: "execute", title: `Type ${text}`, command: text } as const;
    return this.#settle(permissionTable[this.#mode.permissions].destructive, { ...asked, reason });
  }

  async #risks(text: string, cwd: string | undefined): Promise<CommandRisk[]> {
    const { project, home } = this.#options;
    const directory = path.resolve(project.root, cwd ?? ".");
    const place = home === undefined ? { project, cwd: directory } : { project, cwd: directory, home };
    const risks = await commandRisks(text, place);
    const here = await locate(project, directory).catch(() => undefined);
    if (here?.inside !== true) risks.unshift({ danger: "outside", detail: `in ${directory}` });
    return risks;
  }

  async #path(tool: ToolName, location: Location, use: "read" | "write"): Promise<PathVerdict> {
    const blocked = (message: string) => ({ ok: false, message, marker: fileMarkers.blocked }) as const;
    const subject = location.path;
    const edits = use === "write" && toolEffect(tool) === "writes";
    if (this.#mode.writes === "denied" && edits) return { ...inPlan(tool), marker: fileMarkers.blocked };
    // The question about an edit waits until there is a diff to show.
    const settle = async (effect: PolicyEffect, reason: string): Promise<Verdict & { asks?: string }> =>
      effect === "ask" && edits
        ? { ok: true, asks: reason }
        : this.#settle(effect, { tool, action: "read", title: `Read ${subject}`, paths: [subject], reason });
    const rule = ruleForPath(this.#rules, tool, subject);
    if (rule !== undefined) {
      const settled = await settle(rule.effect, rule.reason ?? "a rule asks for it");
      return settled.ok ? settled : blocked(settled.message);
    }
    // A link named notes.txt that leads to .env is as secret as .env itself.
    const target = location.inside ? path.relative(this.#options.project.root, location.real) : location.real;
    if (secrecyOf(subject) === "secret" || secrecyOf(target) === "secret") {
      return blocked(`${subject} may hold secrets and is blocked`);
    }
    if (location.inside) return { ok: true };
    const reason = `${use === "read" ? "reads" : "writes"} outside the project`;
    const settled = await settle(permissionTable[this.#mode.permissions]["path-outside"], reason);
    if (settled.ok) return settled;
    return { ok: false, message: `${subject} is outside the project. ${settled.message}`, marker: fileMarkers.outside };
  }

  async #settle(effect: PolicyEffect, question: Question): Promise<Verdict> {
    if (effect === "allow") return allowed;
    const { ask } = this.#options;
    const call = this.#call;
    if (effect === "deny" || ask === undefined || call === undefined)
      return { ok: false, message: `Denied by policy: ${question.reason}` };
    // "Always" is for this very subject, not for what looks like it.
    const { tool, action, command, paths } = question;
    const key = JSON.stringify([tool, action, command, paths]);
    if (this.#granted.has(key)) return allowed;
    const answer = await untilAborted(ask({ ...question, ...call }), call.signal);
    if (answer.decision === "always") this.#granted.add(key);
    if (answer.decision !== "deny") return allowed;
    return { ok: false, message: `Denied by the user: ${answer.message ?? question.reason}` };
  }
}

type PathVerdict =
  | { readonly ok: true; readonly asks?: string }
  | { readonly ok: false; readonly message: string; readonly marker: string };

/** Nobody there to answer, or nobody there any more who wants to know: no. A late yes must not write anything. */
function untilAborted(answer: Promise<PermissionAnswer>, signal: AbortSignal): Promise<PermissionAnswer> {
  return new Promise((resolve) => {
    const refuse = (message?: string) => resolve({ decision: "deny", message });
    const onAbort = () => refuse("interrupted before the answer came");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, () => refuse()).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function inPlan(what: string): { ok: false; message: string } {
  return { ok: false, message: `Denied in PLAN mode: ${what} is not known to leave everything as it is` };
}

function describe(risk: CommandRisk): string {
  return `${risk.danger} (${risk.detail})`;
}
