import { resolve } from "node:path";
import { listRules, removeRule, Trust } from "@muster/codebuff-sdk";
import { messageOf } from "@muster/core";
import { CommandError, exitCodes, UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { ruleText } from "../permissions/rule-text.ts";
import { rows } from "../settings/setting-rows.ts";

/** `codebuff permissions list|remove <n>`: the rules that concern a project, and taking one back. */
export async function permissions(
  words: readonly string[],
  { json, cwd = "." }: { json?: true; cwd?: string },
  io: Io,
): Promise<number> {
  const [what = "list", number = ""] = words;
  const root = resolve(io.cwd, cwd);
  const warn = (message: string) => void io.stderr.write(`codebuff: ${message}\n`);
  const rules = await listRules({ root, home: io.home, trust: new Trust({ home: io.home, root }), warn });
  if (what === "remove") {
    const chosen = /^[1-9]\d*$/.test(number) ? rules[Number(number) - 1] : undefined;
    if (chosen === undefined)
      throw new UsageError(`permissions remove takes the number of a rule, 1 to ${rules.length}`);
    await removeRule(chosen, { root, home: io.home }).catch((error: unknown) => {
      throw new CommandError(messageOf(error));
    });
    io.stdout.write(`No longer a rule: ${ruleText(chosen.rule)}\n`);
    return exitCodes.ok;
  }
  if (what !== "list") throw new UsageError(`permissions: there is no ${what}; list or remove`);
  if (json) io.stdout.write(`${JSON.stringify(rules)}\n`);
  else if (rules.length === 0) io.stdout.write("There are no rules: an answer with Always makes one.\n");
  else
    io.stdout.write(
      rows(
        rules.map(({ rule, scope, holds, path }, at) => [
          String(at + 1),
          ruleText(rule),
          holds ? scope : `${scope}, not accepted yet: codebuff trust`,
          path.startsWith(`${io.home}/`) ? `~${path.slice(io.home.length)}` : path,
        ]),
      ),
    );
  return exitCodes.ok;
}
