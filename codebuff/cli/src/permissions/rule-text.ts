import type { PolicyRule } from "@muster/codebuff-protocol";

/** A rule as a line for a person: `allow command npm test *`. */
export function ruleText({ effect, action, tool, path, command, host, reason }: PolicyRule): string {
  const subject =
    command !== undefined
      ? `command ${command}`
      : path !== undefined
        ? `${action ?? "file"} ${path}`
        : host !== undefined
          ? `page of ${host}`
          : tool !== undefined
            ? `tool ${tool}`
            : `every ${action}`;
  const by = tool !== undefined && subject !== `tool ${tool}` ? ` by ${tool}` : "";
  return `${effect} ${subject}${by}${reason === undefined ? "" : ` (${reason})`}`;
}

/** What a rule allows, without saying that it does. */
export function grantText(rule: PolicyRule): string {
  return rule.command ?? ruleText(rule).replace(/^allow /, "");
}
