import type { CodebuffClient, PlannedRun } from "@muster/codebuff-sdk";
import { CommandError, exitCodes, UsageError } from "../exit-codes.ts";
import type { RunOptions } from "../run-options.ts";

/** Finds out what would refuse the first run, before anything is written. */
export async function checkRun(
  client: CodebuffClient,
  { agent, mode, model, budgetUsd }: RunOptions,
): Promise<PlannedRun> {
  const planned = await client.planRun({ agent, mode, model });
  if ("refusal" in planned) {
    const { message, code, statusCode } = planned.refusal;
    const isKey = statusCode === 401 || statusCode === 403 || code === "no_credentials";
    const told = code === "no_credentials" ? code : isKey ? "bad_credentials" : code;
    const exitCode = isKey ? exitCodes.credentials : statusCode === 402 ? exitCodes.outOfCredits : undefined;
    throw new CommandError(message, { code: told, statusCode, exitCode });
  }
  if (budgetUsd !== undefined && !planned.hasPrice) {
    throw new UsageError(`--budget cannot be kept: nobody knows the price of ${planned.model}`);
  }
  return planned;
}
