import path from "node:path";
import { fileMarkers, isToolName, type ToolEffect, type ToolName, toolEffect } from "@muster/codebuff-protocol";
import type { FileAccess, OpenedPath } from "../files/file-access.ts";
import { type Location, locate, type Project } from "../files/project.ts";
import { type CommandRisk, commandRisks } from "./command-risks.ts";
import { type Permissions, permissionTable } from "./permissions.ts";
import { onlyReads } from "./read-only-commands.ts";
import { type PolicyEffect, type PolicyRule, ruleForCommand, ruleForPath, ruleForTool } from "./rules.ts";
import { secrecyOf } from "./secrets.ts";

export interface PermissionRequest {
  readonly tool: string;
  readonly kind: "tool" | "path" | "command";
  /** The path or the command itself. */
  readonly subject: string;
  readonly reason: string;
}
export type PermissionAnswer = "once" | "always" | "deny";
export type AskPermission = (request: PermissionRequest) => Promise<PermissionAnswer>;

export interface GateOptions {
  readonly project: Project;
  readonly rules?: readonly PolicyRule[];
  readonly permissions?: Permissions;
  /** PLAN mode: nothing is written, whatever the rules say. */
  readonly writes?: "allowed" | "denied";
  /** Without it what would be asked is denied. */
  readonly ask?: AskPermission;
  readonly home?: string;
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly message: string };

const allowed: Verdict = { ok: true };

/** Decides about tools, paths and commands before they are used. Everything a tool touches passes here. */
export class Gate implements FileAccess {
  readonly #options: GateOptions;
  readonly #rules: readonly PolicyRule[];
  readonly #always = new Set<string>();
  #writes: "allowed" | "denied";
  #permissions: Permissions;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#rules = options.rules ?? [];
    this.#writes = options.writes ?? "allowed";
    this.#permissions = options.permissions ?? "unattended";
  }

  /** The user switched the mode in the middle of a session. */
  switchTo(change: { writes?: "allowed" | "denied"; permissions?: Permissions }): void {
    this.#writes = change.writes ?? this.#writes;
    this.#permissions = change.permissions ?? this.#permissions;
  }

  /** `effect` is needed for tools that are not in the table; such a tool counts as writing unless it says otherwise. */
  async tool(name: string, effect: ToolEffect = isToolName(name) ? toolEffect(name) : "writes"): Promise<Verdict> {
    const isJudgedByCommand = name === "run_terminal_command" || name === "kill_terminal";
    if (this.#writes === "denied" && (effect === "writes" || (effect === "runs" && !isJudgedByCommand)))
      return inPlan(name);
    const rule = ruleForTool(this.#rules, name);
    if (rule === undefined || rule.effect === "allow") return allowed;
    return this.#settle(rule.effect, {
      tool: name,
      kind: "tool",
      subject: name,
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
    return { ok: true, location, isTemplate: secrecyOf(location.path) === "template" };
  }

  /** `cwd` may be relative to the project. */
  async command(text: string, cwd?: string, tool = "run_terminal_command"): Promise<Verdict> {
    if (this.#writes === "denied" && !onlyReads(text)) return inPlan(`this command (${text.slice(0, 80)})`);
    const rule = ruleForCommand(this.#rules, tool, text);
    const asked = { tool, kind: "command", subject: text } as const;
    if (rule !== undefined) {
      return this.#settle(rule.effect, { ...asked, reason: rule.reason ?? "a rule asks for it" });
    }
    const risks = await this.#risks(text, cwd);
    const table = permissionTable[this.#permissions];
    for (const effect of ["deny", "ask"] as const) {
      const strict = risks.filter((risk) => table[risk.danger] === effect);
      if (strict.length > 0) return this.#settle(effect, { ...asked, reason: strict.map(describe).join("; ") });
    }
    return allowed;
  }

  /** Text typed into a running program: it may be a shell, so what destroys is judged like a command. */
  async typed(text: string, cwd?: string): Promise<Verdict> {
    if (this.#writes === "denied") return inPlan("typing into a program");
    const risks = (await this.#risks(text, cwd)).filter((risk) => risk.danger === "destructive");
    if (risks.length === 0) return allowed;
    const reason = risks.map(describe).join("; ");
    const request = { tool: "run_terminal_command", kind: "command", subject: text, reason } as const;
    return this.#settle(permissionTable[this.#permissions].destructive, request);
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

  async #path(tool: ToolName, location: Location, use: "read" | "write"): Promise<Verdict & { marker: string }> {
    const blocked = (message: string) => ({ ok: false, message, marker: fileMarkers.blocked }) as const;
    const subject = location.path;
    const asked = { tool, kind: "path", subject } as const;
    if (this.#writes === "denied" && use === "write" && toolEffect(tool) === "writes") {
      return { ...inPlan(tool), marker: fileMarkers.blocked };
    }
    const rule = ruleForPath(this.#rules, tool, subject);
    if (rule !== undefined) {
      const settled = await this.#settle(rule.effect, { ...asked, reason: rule.reason ?? "a rule asks for it" });
      return settled.ok ? { ok: true, marker: "" } : blocked(settled.message);
    }
    // A link named notes.txt that leads to .env is as secret as .env itself.
    const target = location.inside ? path.relative(this.#options.project.root, location.real) : location.real;
    if (secrecyOf(subject) === "secret" || secrecyOf(target) === "secret") {
      return blocked(`${subject} may hold secrets and is blocked`);
    }
    if (location.inside) return { ok: true, marker: "" };
    const reason = `${use === "read" ? "reads" : "writes"} outside the project`;
    const settled = await this.#settle(permissionTable[this.#permissions]["path-outside"], { ...asked, reason });
    if (settled.ok) return { ok: true, marker: "" };
    return { ok: false, message: `${subject} is outside the project`, marker: fileMarkers.outside };
  }

  async #settle(effect: PolicyEffect, request: PermissionRequest): Promise<Verdict> {
    if (effect === "allow") return allowed;
    const { ask } = this.#options;
    if (effect === "deny" || ask === undefined) return { ok: false, message: `Denied by policy: ${request.reason}` };
    // "Always" is for this very subject, not for what looks like it.
    const key = JSON.stringify([request.tool, request.kind, request.subject]);
    if (this.#always.has(key)) return allowed;
    const answer = await ask(request).catch(() => "deny" as const);
    if (answer === "always") this.#always.add(key);
    return answer === "deny" ? { ok: false, message: `Denied by the user: ${request.reason}` } : allowed;
  }
}

function inPlan(what: string): { ok: false; message: string } {
  return { ok: false, message: `Denied in PLAN mode: ${what} is not known to leave everything as it is` };
}

function describe(risk: CommandRisk): string {
  return `${risk.danger} (${risk.detail})`;
}
