import type {
  HarnessV1CallWarning,
  HarnessV1ContinueTurnOptions,
  HarnessV1Observability,
  HarnessV1StartOptions,
} from "@ai-sdk/harness";

/** What a turn asks for and the daemon's agents do not have. */
export function warningsOf(
  { tools, skills, instructions }: HarnessV1ContinueTurnOptions,
  { headers }: Pick<HarnessV1StartOptions, "headers">,
): HarnessV1CallWarning[] {
  const warnings: HarnessV1CallWarning[] = tools.map(({ name }) => ({
    type: "unsupported-tool",
    tool: name,
    details: "The agent has its own tools; give it others as MCP servers (the setting mcp)",
  }));
  if (instructions !== undefined) {
    const details = "A session has its instructions from its beginning: give them as systemPrompt";
    warnings.push({ type: "unsupported-setting", setting: "instructions", details });
  }
  if (skills.length > 0) {
    const details = "Put skills where the agent looks for them in its directory";
    warnings.push({ type: "unsupported-setting", setting: "skills", details });
  }
  if (headers !== undefined) {
    const details = "The agent calls its model itself; give it a gateway as baseUrl";
    warnings.push({ type: "unsupported-setting", setting: "headers", details });
  }
  return warnings;
}

/** Also for `onLog`: this version of the framework shows nobody the warnings of a stream. */
export function reportWarnings(
  warnings: readonly HarnessV1CallWarning[],
  report: HarnessV1Observability["report"],
): void {
  for (const warning of warnings) {
    const message = "message" in warning ? warning.message : `${nameOf(warning)}: ${warning.details ?? warning.type}`;
    report?.({ level: "warn", message, subsystem: "muster", kind: "event", timestamp: Date.now() });
  }
}

function nameOf(warning: Exclude<HarnessV1CallWarning, { type: "other" }>): string {
  return warning.type === "unsupported-tool" ? warning.tool : warning.setting;
}
