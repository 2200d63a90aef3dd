import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { McpServer, type ModeName, PermissionPolicy, VariantSetting } from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";
import { z } from "zod";
import { UsageError } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import type { GivenFlags } from "./run-flags.ts";
import { themeNames } from "./text/theme-file.ts";

export const permissionPolicies = PermissionPolicy.options;
export const variants = VariantSetting.options;
type Variant = (typeof variants)[number];

/** `lines` is `--stream-json`, `object` is `--json`. */
type OutputFormat = "text" | "object" | "lines";

/** A run as it was asked for: every value checked, every path absolute. */
export interface RunOptions {
  readonly format: OutputFormat;
  readonly keepOpen: boolean;
  readonly quiet: boolean;
  readonly plain: boolean;
  readonly nonInteractive: boolean;
  readonly mode: ModeName;
  /** `latest` is the newest session of the project. */
  readonly continues: { readonly id: string } | "latest" | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string;
  readonly timeoutMs: number | undefined;
  readonly maxSteps: number | undefined;
  readonly budgetUsd: number | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly variant: Variant | undefined;
  readonly provider: string | undefined;
  readonly baseUrl: string | undefined;
  readonly demo: boolean;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly mcpServers: Readonly<Record<string, McpServer>> | undefined;
  readonly permissions: PermissionPolicy | undefined;
  /** What the project brings is used in this run, whoever has accepted it. */
  readonly trust: boolean;
  /** `auto`, `dark`, `light`, or a file of the person's. */
  readonly theme: string;
  readonly vim: boolean;
  /** Keys of the person's own: key → action. */
  readonly keys: Readonly<Record<string, string>>;
  readonly agentLocal: boolean;
  /** Undefined: it comes from standard input. */
  readonly prompt: string | undefined;
}

const sessionIdShape = /^[\w.-]{1,64}$/;

/** Checks the flags and throws a UsageError for the first that is wrong; nothing has been started or changed by then. */
export function readRunOptions(flags: GivenFlags, words: readonly string[], io: Pick<Io, "cwd" | "home">): RunOptions {
  const keepOpen = oneOf("--input-format", flags.inputFormat, ["text", "stream-json"]) === "stream-json";
  if (flags.json && (flags.streamJson || keepOpen)) throw new UsageError("--json and --stream-json exclude each other");
  const { continues, prompt } = readContinue(flags.continue, words);
  if (keepOpen && prompt !== undefined) {
    throw new UsageError("--input-format stream-json reads messages from stdin and takes no prompt");
  }
  if (continues !== undefined && flags.sessionId !== undefined) {
    throw new UsageError("--session-id names a new session and --continue an old one: give one of them");
  }
  if (flags.sessionId !== undefined && !sessionIdShape.test(flags.sessionId)) {
    throw new UsageError("--session-id takes 1 to 64 letters, digits, dots, dashes and underscores");
  }
  const format: OutputFormat = flags.streamJson || keepOpen ? "lines" : flags.json ? "object" : "text";
  return {
    format,
    keepOpen,
    quiet: flags.quiet ?? false,
    plain: flags.plain ?? false,
    nonInteractive: format !== "text" || (flags.nonInteractive ?? false),
    mode: readMode(flags),
    continues,
    sessionId: flags.sessionId,
    cwd: readDirectory(flags.cwd, io.cwd),
    timeoutMs: inMilliseconds(positiveNumber("--timeout", flags.timeout, "seconds")),
    maxSteps: wholeNumber("--max-steps", flags.maxSteps),
    budgetUsd: positiveNumber("--budget", flags.budget, "US dollars"),
    agent: flags.agent,
    model: flags.model,
    variant: oneOf("--variant", flags.variant, variants),
    provider: flags.provider,
    baseUrl: flags.baseUrl === undefined ? undefined : readUrl("--base-url", flags.baseUrl),
    demo: flags.demo ?? false,
    params: readObject("--params", flags.params),
    outputSchema: readObjectFile("--output-schema", flags.outputSchema, io.cwd),
    appendSystemPrompt: flags.appendSystemPrompt,
    mcpServers: readMcpServers(flags.mcpConfig, io.cwd),
    permissions: oneOf("--permissions", flags.permissions, permissionPolicies),
    trust: flags.trust ?? false,
    theme: oneOf("--theme", flags.theme, flags.theme === undefined ? [] : themeNames(io.home)) ?? "auto",
    vim: flags.vim ?? false,
    keys: {},
    agentLocal: flags.agentLocal ?? false,
    prompt,
  };
}

/**
 * `--continue [id]` and a prompt can be mistaken for each other. What cannot be an id, in `--continue "fix the test"`, is
 * the prompt.
 */
function readContinue(
  given: string | true | undefined,
  words: readonly string[],
): Pick<RunOptions, "continues" | "prompt"> {
  const joined = words.join(" ");
  const prompt = words.length === 0 || joined === "-" ? undefined : joined;
  if (given === undefined) return { continues: undefined, prompt };
  if (given === true) return { continues: "latest", prompt };
  if (sessionIdShape.test(given)) return { continues: { id: given }, prompt };
  if (words.length > 0) throw new UsageError(`--continue: '${given}' is not a session id`);
  return { continues: "latest", prompt: given };
}

function readMode(flags: GivenFlags): ModeName {
  const named: ModeName[] = [];
  if (flags.free || flags.lite) named.push("FREE");
  if (flags.max) named.push("MAX");
  if (flags.plan) named.push("PLAN");
  if (named.length > 1) throw new UsageError("--free, --max and --plan exclude each other");
  return named[0] ?? "DEFAULT";
}

function readDirectory(given: string | undefined, cwd: string): string {
  if (given === undefined) return cwd;
  const path = resolve(cwd, given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`--cwd: there is no directory ${path}`);
  if (!found.isDirectory()) throw new UsageError(`--cwd: ${path} is not a directory`);
  return path;
}

function positiveNumber(flag: string, given: string | undefined, unit: string): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new UsageError(`${flag} takes a number of ${unit} above 0, not '${given}'`);
  }
  return value;
}

/** setTimeout's own limit is 2^31 - 1 ms, 24.8 days; a longer limit is none. */
function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.min(Math.ceil(seconds * 1000), 2 ** 31 - 1);
}

function wholeNumber(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`${flag} takes a whole number above 0, not '${given}'`);
  return Number(given);
}

function oneOf<const Value extends string>(
  flag: string,
  given: string | undefined,
  allowed: readonly Value[],
): Value | undefined {
  if (given === undefined) return undefined;
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw new UsageError(`${flag} takes one of ${allowed.join(", ")}, not '${given}'`);
  return found;
}

/** An address without slashes at its end. Throws a UsageError for anything else. */
export function readUrl(flag: string, given: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new UsageError(`${flag} takes an http or https address, not '${given}'`);
  }
  return given.replace(/\/+$/, "");
}

function readObject(flag: string, given: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined;
  return parseObject(flag, given, "");
}

function readObjectFile(
  flag: string,
  given: string | undefined,
  cwd: string,
): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined;
  const path = resolve(cwd, given);
  return parseObject(flag, readText(flag, path), ` in ${path}`);
}

/** JSON itself begins with a brace; everything else is a file. */
function readMcpServers(given: string | undefined, cwd: string): RunOptions["mcpServers"] {
  if (given === undefined) return undefined;
  const flag = "--mcp-config";
  const config = given.trimStart().startsWith("{") ? readObject(flag, given) : readObjectFile(flag, given, cwd);
  const checked = z.object({ mcpServers: z.record(z.string(), McpServer) }).safeParse(config);
  if (checked.success) return checked.data.mcpServers;
  const [issue] = checked.error.issues;
  throw new UsageError(`${flag}: ${issue?.path.join(".")}: ${issue?.message}`);
}

function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${flag}: cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? "unreadable"})`);
  }
}

function parseObject(flag: string, text: string, where: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${flag}: broken JSON${where}: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw new UsageError(`${flag}: expected a JSON object${where}`);
  return value;
}

/** What a person may change between two prompts. */
export type Settings = Pick<RunOptions, "mode" | "model" | "variant" | "permissions">;

/** PLAN is a mode and a policy: either of them lets nothing be changed. */
export function isPlan({ mode, permissions }: Pick<Settings, "mode" | "permissions">): boolean {
  return mode === "PLAN" || permissions === "plan";
}
