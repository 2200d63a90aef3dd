import type { AgentOutput, FinishStatus } from "@muster/codebuff-protocol";
import { exitCodes, wrongNames } from "../exit-codes.ts";
import type { Stop } from "../run/stopper.ts";

const codeOfStop: Readonly<Record<Stop, number>> = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  timeout: exitCodes.timeout,
  cancel: exitCodes.interrupted,
  nobody_reads: exitCodes.ok,
};

const codeOfError: Readonly<Record<string, number>> = {
  no_credentials: exitCodes.credentials,
  bad_credentials: exitCodes.credentials,
  out_of_credits: exitCodes.outOfCredits,
};

/** A run that stopped at its step limit did not finish its work: that is no success for a script. */
export function exitCodeOf(end: { status: FinishStatus; output: AgentOutput; stop: Stop | undefined }): number {
  if (end.stop !== undefined && end.status !== "completed") return codeOfStop[end.stop];
  if (end.status === "completed") return exitCodes.ok;
  if (end.output.type !== "error") return exitCodes.runError;
  const { error = "", statusCode } = end.output;
  if (wrongNames.has(error)) return exitCodes.usage;
  if (statusCode === 402) return exitCodes.outOfCredits;
  if (statusCode === 401) return exitCodes.credentials;
  return codeOfError[error] ?? exitCodes.runError;
}
