import type { CodebuffClient, PlannedRun, RefusedRun } from "@muster/codebuff-sdk";
import { CommandError, exitCodes, UsageError, wrongNames } from "../exit-codes.ts";
import type { RunOptions } from "../run-options.ts";

/** Finds out what would refuse the first run, before anything is written. */
export async function checkRun(client: CodebuffClient, options: RunOptions): Promise<PlannedRun> {
  const planned = await checkBudget(client, options);
  if (!("refusal" in planned)) return planned;
  const { message, code, statusCode } = planned.refusal;
  if (wrongNames.has(code)) throw new CommandError(message, { code, statusCode, exitCode: exitCodes.usage });
  const isKey = statusCode === 401 || statusCode === 403 || code === "no_credentials" || code === "bad_credentials";
  const told = code === "no_credentials" ? code : isKey ? "bad_credentials" : code;
  const exitCode = isKey ? exitCodes.credentials : statusCode === 402 ? exitCodes.outOfCredits : undefined;
  throw new CommandError(message, { code: told, statusCode, exitCode });
}

/** Nothing is begun with a budget that could not be kept. */
export async function checkBudget(
  client: CodebuffClient,
  { agent, mode, model, budgetUsd }: RunOptions,
): Promise<PlannedRun | RefusedRun> {
  const planned = await client.planRun({ agent, mode, model });
  if (budgetUsd !== undefined && !("refusal" in planned) && !planned.hasPrice) {
    throw new UsageError(`--budget cannot be kept: nobody knows the price of ${planned.model}`);
  }
  return planned;
}
