import path from "node:path";
import {
  fileMarkers,
  isToolName,
  type PolicyAction,
  type PolicyEffect,
  type PolicyRule,
  type ToolEffect,
  type ToolName,
  toolEffect,
} from "@muster/codebuff-protocol";
import type { Sandbox } from "@muster/confinement";
import { messageOf, untilAborted } from "@muster/core";
import type { FileAccess, OpenedPath, PlannedEdit, Verdict } from "../files/access/file-access.ts";
import { type Location, locate, type Project } from "../files/access/project.ts";
import { type FileFilter, type Secrecy, secrecyOf } from "../files/access/secrets.ts";
import { listSecretFiles } from "../search/secret-files.ts";
import { loadBashReader } from "./bash/bash-reader.ts";
import { type CommandReading, readCommand } from "./bash/called-programs.ts";
import { confinementNote } from "./confinement-note.ts";
import { type Judgement, judgeCommand } from "./judge-command.ts";
import type {
  AskingCall,
  AskPermission,
  PermissionAnswer,
  PermissionRequest,
  RememberRules,
} from "./permission-request.ts";
import { type Permissions, permissionTable } from "./permissions.ts";
import { runInPlan } from "./plan-command.ts";
import { onlyReads } from "./read-only/read-only-commands.ts";
import { type CommandRisk, risksOf } from "./risk/command-risks.ts";
import { carriesData } from "./risk/outgoing.ts";
import { namesFile, ruleForHost, ruleForPath, ruleForTool } from "./rules.ts";
import { steersPrograms } from "./steering-files.ts";
import { rulesForCall } from "./suggest-rules.ts";

/** What a person may switch while a run goes on; the next call is judged by it. */
export interface LiveMode {
  writes: "allowed" | "denied";
  permissions: Permissions;
}

export interface GateOptions {
  readonly project: Project;
  readonly rules?: readonly PolicyRule[];
  readonly permissions?: Permissions;
  /** PLAN mode: nothing is written, whatever the rules say. */
  readonly writes?: "allowed" | "denied";
  /** In place of `permissions` and `writes`: kept by the caller, who may switch it at any time. */
  readonly live?: LiveMode;
  /** Without it what would be asked is denied. */
  readonly ask?: AskPermission;
  /** Writes rules down for longer than this session. Without it an `always` lasts as long as `granted`. */
  readonly remember?: RememberRules;
  readonly home?: string;
  /** Decides about files in place of the list of secret names. */
  readonly fileFilter?: FileFilter;
  /** What was allowed for always. Give the same set to several runs and it holds for all of them. */
  readonly granted?: Set<string>;
  /** Where words of strangers were read before: web pages, answers of MCP servers, what a command fetched. */
  readonly outside?: Set<string>;
  /** Where the kernel can confine commands: PLAN and `sandboxed` run theirs in it. */
  readonly sandbox?: Sandbox;
  /** Absolute paths that confined commands see beside the system, the project and their programs. */
  readonly visible?: readonly string[];
  /** Whether `sandboxed` commands reach the network; PLAN commands never do in a sandbox. */
  readonly network?: "allowed" | "denied";
}

/** `run` is what the terminal is given in place of the text: the same command, where it belongs. */
export type CommandVerdict =
  | { readonly ok: true; readonly run: string }
  | { readonly ok: false; readonly message: string };

/** What the gate itself knows of a question; the call it belongs to is added when a person is asked. */
type Question = Omit<PermissionRequest, keyof AskingCall>;

const allowed: Verdict = { ok: true };

const filtered = { allow: "open", blocked: "secret", "allow-example": "template" } as const;

/** Decides about tools, paths and commands before they are used. Everything a tool touches passes here. */
export class Gate implements FileAccess {
  readonly #options: GateOptions;
  /** Shared by the gates of all calls: what is remembered now holds for the next one. */
  #rules: PolicyRule[];
  readonly #granted: Set<string>;
  /** Where this run has read words of strangers. */
  readonly #outside: Set<string>;
  #mode: LiveMode;
  #call: AskingCall | undefined;
  #waitedMs = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#rules = [...(options.rules ?? [])];
    this.#granted = options.granted ?? new Set();
    this.#outside = options.outside ?? new Set();
    this.#mode = options.live ?? {
      writes: options.writes ?? "allowed",
      permissions: options.permissions ?? "unattended",
    };
  }

  /** How long a person was asked through this gate. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** The same gate, whose questions are those of one call. Without a call nobody can be asked. */
  forCall(call: AskingCall): Gate {
    const gate = new Gate({ ...this.#options, granted: this.#granted, outside: this.#outside });
    gate.#mode = this.#mode;
    gate.#rules = this.#rules;
    gate.#call = call;
    return gate;
  }

  /** The user switched the mode in the middle of a session; what is judged from now on is judged by the new one. */
  switchTo(change: { writes?: "allowed" | "denied"; permissions?: Permissions }): void {
    this.#mode.writes = change.writes ?? this.#mode.writes;
    this.#mode.permissions = change.permissions ?? this.#mode.permissions;
  }

  /** What the model has to know about its terminal now; belongs into the description of `run_terminal_command`. */
  get terminalNote(): string {
    const confinement = this.#options.sandbox === undefined ? "table" : "kernel";
    return confinementNote(confinement, { ...this.#mode, network: this.#options.network });
  }

  /**
   * The terminal session a command runs in. PLAN has shells of its own, in which nothing else has ever run: a function or a
   * trap that a session has learned before would run in front of the command, and nothing would confine it. So has
   * `sandboxed`, once the session has run something as it was written.
   */
  sessionFor(session: string, hasRunPlain = true): string {
    if (this.#isPlan) return `${session}/plan`;
    return this.#mode.permissions === "sandboxed" && hasRunPlain ? `${session}/sandboxed` : session;
  }

  /** The run has read words of strangers there. From now on it is asked before something is sent out. */
  readOutside(source: string): void {
    this.#outside.add(source);
  }

  /** A page: by the rules about its host, else asked for where its address carries so much that it may be a message. */
  async fetch(url: string): Promise<Verdict> {
    const question = { tool: "read_url", action: "fetch", title: `Read ${url}`, url, paths: [url] } as const;
    const host = URL.canParse(url) ? new URL(url).hostname : "";
    const rule = ruleForHost(this.#rules, "read_url", host);
    if (rule !== undefined) return this.#settle(rule.effect, { ...question, reason: reasonOf(rule) });
    if (this.#outside.size === 0 || !carriesData(url)) return allowed;
    return this.#settle(permissionTable[this.#mode.permissions].sends, {
      ...question,
      reason: this.#outsideReason("carries data out"),
    });
  }

  /** What a tool that is not in the table does is said beside its name; left out it counts as writing. */
  async tool(
    name: string,
    own: { effect?: ToolEffect; isForeign?: boolean; fingerprint?: string } = {},
  ): Promise<Verdict> {
    const effect = own.effect ?? (isToolName(name) ? toolEffect(name) : "writes");
    const isJudgedByCommand = name === "run_terminal_command" || name === "kill_terminal";
    if (this.#isPlan && (effect === "writes" || (effect === "runs" && !isJudgedByCommand))) return inPlan(name);
    const asked = {
      tool: name,
      action: own.isForeign ? "mcp" : "other",
      title: `Use the tool ${name}`,
    } as const;
    const rule = ruleForTool(this.#rules, name, asked.action);
    if (rule !== undefined) return this.#settle(rule.effect, { ...asked, reason: reasonOf(rule) });
    if (!own.isForeign || effect === "reads") return allowed;
    const table = permissionTable[this.#mode.permissions];
    const isOfOthers = [...this.#outside].some((source) => serverOf(source) !== serverOf(name));
    const isSuspect = table.foreign === "allow" && isOfOthers;
    const reason = isSuspect ? this.#outsideReason("may send") : "a tool of an MCP server may reach anything";
    return this.#settle(isSuspect ? table.sends : table.foreign, { ...asked, reason }, own.fingerprint);
  }

  async open(tool: ToolName, given: string, use: "read" | "write"): Promise<OpenedPath> {
    let location: Location;
    try {
      location = await locate(this.#options.project, given);
    } catch (error) {
      const message = messageOf(error);
      return { ok: false, marker: fileMarkers.unreadable, message: `${given.replaceAll("\0", "\\0")}: ${message}` };
    }
    const verdict = await this.#path(tool, location, use);
    if (!verdict.ok) return { ok: false, marker: verdict.marker, message: verdict.message };
    return { ok: true, location, isTemplate: this.#secrecy(location.path) === "template", asks: verdict.asks };
  }

  shows(path: string): boolean {
    return this.#secrecy(path) !== "secret";
  }

  names(path: string): boolean {
    const { fileFilter } = this.#options;
    return fileFilter === undefined || fileFilter(path).status !== "blocked";
  }

  async approve({ tool, opened, diff }: PlannedEdit): Promise<Verdict> {
    const reasons = [...new Set(opened.flatMap(({ asks }) => asks ?? []))];
    const effect = permissionTable[this.#mode.permissions].edit;
    const byRule = opened.every(
      ({ location }) => this.#ruleFor({ tool, action: "edit" }, location)?.effect === "allow",
    );
    if (effect !== "allow" && !byRule) reasons.push("every edit is asked for");
    if (reasons.length === 0) return allowed;
    const paths = opened.map(({ location }) => location.path);
    const title = `Edit ${paths.join(", ")}`;
    const strict = effect === "deny" ? "deny" : "ask";
    return this.#settle(strict, { tool, action: "edit", title, paths, diff, reason: reasons.join("; ") });
  }

  /**
   * `cwd` may be relative to the project. What is allowed is run as the verdict says it, which may be in a sandbox; a
   * command that runs elsewhere than in our terminal is run by somebody who may not do so, and is judged without one.
   */
  async command(text: string, cwd?: string, where: "terminal" | "elsewhere" = "terminal"): Promise<CommandVerdict> {
    const tool = "run_terminal_command";
    const { reading, risks } = await this.#read(text, cwd);
    const sandbox = where === "terminal" ? this.#options.sandbox : undefined;
    const confined = sandbox !== undefined && (this.#isPlan || this.#mode.permissions === "sandboxed");
    if (this.#isPlan && !confined && !onlyReads(reading)) return inPlan(`this command (${text.slice(0, 80)})`);
    const { permissions } = this.#mode;
    const judgement = judgeCommand({
      reading,
      risks,
      tool,
      rules: this.#rules,
      permissions,
      confined: confined || this.#isPlan,
      hidesSecrets: confined,
      outside: confined && this.#options.network !== "allowed" ? [] : [...this.#outside],
      remembered: this.#granted,
    });
    if (judgement.effect !== "deny" && risks.some((risk) => risk.danger === "fetches")) this.readOutside("a command");
    const verdict = await this.#settleCommand(judgement, {
      tool,
      action: "execute",
      title: `Run ${text}`,
      command: text,
    });
    return verdict.ok ? { ok: true, run: await this.#confine(reading, sandbox) } : verdict;
  }

  /**
   * A hook that the person has accepted. `sandboxed` confines it like a command: what it runs is mostly a file of the
   * project, which the agent may have written.
   */
  async hook(text: string): Promise<CommandVerdict> {
    const { sandbox, project } = this.#options;
    if (this.#mode.permissions !== "sandboxed") return { ok: true, run: text };
    if (sandbox === undefined) return { ok: false, message: "Denied by policy: no sandbox is there to run hooks in" };
    const { reading } = await this.#read(text, project.root);
    return { ok: true, run: await this.#confine(reading, sandbox) };
  }

  /** Text typed into a running program: it may be a shell, so what destroys is judged like a command. */
  async typed(text: string, cwd?: string): Promise<Verdict> {
    if (this.#isPlan) return inPlan("typing into a program");
    const { risks } = await this.#read(text, cwd);
    const effect = permissionTable[this.#mode.permissions].destructive;
    const parts = risks
      .filter((risk) => risk.danger === "destructive")
      .map(({ part, key, detail }) => ({ key, text: part, reason: `destructive (${detail})` }));
    if (parts.length === 0 || effect === "allow") return allowed;
    const reason = parts.map((part) => part.reason).join("; ");
    const asked = { tool: "run_terminal_command", action: "execute", title: `Type ${text}`, command: text } as const;
    return this.#settleCommand(effect === "deny" ? { effect, reason } : { effect, reason, parts }, asked);
  }

  #outsideReason(what: string): string {
    return `${what}, after words of strangers were read (${[...this.#outside].join(", ")})`;
  }

  get #isPlan(): boolean {
    return this.#mode.writes === "denied";
  }

  /** A command is read once; everything that judges it judges this reading. */
  async #read(text: string, cwd: string | undefined): Promise<{ reading: CommandReading; risks: CommandRisk[] }> {
    const { project, home } = this.#options;
    const directory = path.resolve(project.root, cwd ?? ".");
    const reading = readCommand(text, await loadBashReader());
    const risks = await risksOf(reading, { project, cwd: directory, home });
    const here = await locate(project, directory).catch(() => undefined);
    if (here?.inside !== true) {
      const detail = `in ${directory}`;
      risks.unshift({ danger: "outside", detail, part: text, key: detail, here: true });
    }
    return { reading, risks };
  }

  async #confine(reading: CommandReading, sandbox: Sandbox | undefined): Promise<string> {
    const { project, network = "denied", visible } = this.#options;
    const isSandboxed = this.#mode.permissions === "sandboxed";
    if (!this.#isPlan && !isSandboxed) return reading.text;
    if (sandbox === undefined) return runInPlan(reading, { root: project.root });
    const wish = { root: project.root, visible, hidden: await this.#hidden() };
    return this.#isPlan
      ? runInPlan(reading, { root: project.root, sandbox: { ...wish, sandbox } })
      : sandbox.wrap(reading.text, { ...wish, writes: "project", network });
  }

  /** Secret files that no rule opens: a command in the sandbox finds them empty. */
  async #hidden(): Promise<string[]> {
    const { root } = this.#options.project;
    const isOpen = (file: string) => {
      const rule = ruleForPath(this.#rules, { tool: "read_files", action: "read" }, [file]);
      return rule?.effect === "allow" && this.#opensSecrets(rule);
    };
    const files = (await listSecretFiles(root)).filter((file) => this.#secrecy(file) === "secret" && !isOpen(file));
    return files.map((file) => path.join(root, file));
  }

  async #settleCommand(judgement: Judgement, asked: Omit<Question, "reason">): Promise<Verdict> {
    if (judgement.effect === "allow") return allowed;
    const { reason } = judgement;
    if (judgement.effect === "deny") return { ok: false, message: `Denied by policy: ${reason}` };
    const { parts } = judgement;
    const rules = parts.flatMap(({ rule }) => rule ?? []);
    return this.#ask(
      { ...asked, reason, parts, rules: rules.length === parts.length ? withoutEqual(rules) : [] },
      parts.map((part) => part.key),
    );
  }

  async #path(tool: ToolName, location: Location, use: "read" | "write"): Promise<PathVerdict> {
    const blocked = (message: string) => ({ ok: false, message, marker: fileMarkers.blocked }) as const;
    const subject = location.path;
    const edits = use === "write" && toolEffect(tool) === "writes";
    if (this.#isPlan && edits) return { ...inPlan(tool), marker: fileMarkers.blocked };
    // The question about an edit waits until there is a diff to show.
    const settle = async (effect: PolicyEffect, reason: string): Promise<Verdict & { asks?: string }> =>
      effect === "ask" && edits
        ? { ok: true, asks: reason }
        : this.#settle(effect, { tool, action: "read", title: `Read ${subject}`, paths: [subject], reason });
    const rule = this.#ruleFor({ tool, action: edits ? "edit" : "read" }, location);
    // A link named notes.txt that leads to .env is as secret as .env itself.
    const isSecret = this.#namesOf(location).some((name) => this.#secrecy(name) === "secret");
    if (rule !== undefined && !(isSecret && rule.effect === "allow" && !this.#opensSecrets(rule))) {
      const settled = await settle(rule.effect, reasonOf(rule));
      return settled.ok ? settled : blocked(settled.message);
    }
    if (isSecret) return blocked(`${subject} may hold secrets and is blocked`);
    const effect = permissionTable[this.#mode.permissions]["path-outside"];
    if (edits && steersPrograms(location, this.#options.home)) {
      const settled = await settle(effect, "changes what git or this program does outside of every sandbox");
      return settled.ok ? settled : blocked(`${subject} is not for tools. ${settled.message}`);
    }
    if (location.inside) return { ok: true };
    const reason = `${use === "read" ? "reads" : "writes"} outside the project`;
    const settled = await settle(effect, reason);
    if (settled.ok) return settled;
    return { ok: false, message: `${subject} is outside the project. ${settled.message}`, marker: fileMarkers.outside };
  }

  /** The name of a file in the project, and where it leads to. */
  #namesOf({ path: named, inside, real }: Location): string[] {
    const { root } = this.#options.project;
    return [named, inside ? path.relative(root, real).split(path.sep).join("/") || "." : real];
  }

  #ruleFor(call: { tool: string; action: PolicyAction }, location: Location): PolicyRule | undefined {
    return ruleForPath(this.#rules, call, this.#namesOf(location));
  }

  /** A wildcard opens no secrets; with a filter the embedding program owns what may be read. */
  #opensSecrets(rule: PolicyRule): boolean {
    return this.#options.fileFilter !== undefined || namesFile(rule);
  }

  #secrecy(path: string): Secrecy {
    const { fileFilter } = this.#options;
    return fileFilter === undefined ? secrecyOf(path) : filtered[fileFilter(path).status];
  }

  async #settle(effect: PolicyEffect, question: Question, fingerprint?: string): Promise<Verdict> {
    if (effect === "allow") return allowed;
    if (effect === "deny") return { ok: false, message: `Denied by policy: ${question.reason}` };
    // "Always" is for this very subject, not for what looks like it.
    const { tool, action, paths } = question;
    const key = JSON.stringify([tool, action, paths, fingerprint]);
    return this.#granted.has(key) ? allowed : this.#ask({ rules: rulesForCall(action, question), ...question }, [key]);
  }

  async #ask(question: Question, keys: readonly string[]): Promise<Verdict> {
    const { ask } = this.#options;
    const call = this.#call;
    if (ask === undefined || call === undefined) return { ok: false, message: `Denied by policy: ${question.reason}` };
    const { remember } = this.#options;
    const rules = remember === undefined ? [] : (question.rules ?? []);
    const askedAt = performance.now();
    const answer = await orDenied(ask({ ...question, rules, ...call }), call.signal);
    this.#waitedMs += performance.now() - askedAt;
    if (answer.decision === "always") {
      for (const key of keys) this.#granted.add(key);
      const { scope = "session" } = answer;
      if (scope !== "session" && rules.length > 0) {
        this.#rules.push(...rules);
        await remember?.(rules, scope);
      }
    }
    if (answer.decision !== "deny") return allowed;
    return { ok: false, message: `Denied by the user: ${answer.message ?? question.reason}` };
  }
}

type PathVerdict =
  | { readonly ok: true; readonly asks?: string }
  | { readonly ok: false; readonly message: string; readonly marker: string };

/** Nobody there to answer, or nobody there any more who wants to know: no. A late yes must not write anything. */
function orDenied(answer: Promise<PermissionAnswer>, signal: AbortSignal): Promise<PermissionAnswer> {
  return untilAborted(answer, signal).catch(() => {
    return { decision: "deny", message: signal.aborted ? "interrupted before the answer came" : undefined };
  });
}

function reasonOf({ reason, effect }: PolicyRule): string {
  return reason ?? (effect === "deny" ? "a rule denies it" : "a rule asks for it");
}

function withoutEqual(rules: readonly PolicyRule[]): PolicyRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Tools of MCP servers are named `server__tool`. */
function serverOf(tool: string): string {
  return tool.split("__")[0] ?? tool;
}

function inPlan(what: string): { ok: false; message: string } {
  return { ok: false, message: `Denied in PLAN mode: ${what} is not known to leave everything as it is` };
}
