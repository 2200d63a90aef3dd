import { messageOf } from "@muster/core";
import type { OpenOptions } from "../../adapter.ts";
import { type ForkedConversation, ForkFailure, type ForkPoint } from "../../fork-point.ts";
import type { AgentHost } from "../../host.ts";
import { runCodebuff } from "../history/run-codebuff.ts";

/** Entries keep their numbers in a fork, so places named before hold in it too. */
export async function forkCodebuff(host: AgentHost, options: OpenOptions, at: ForkPoint): Promise<ForkedConversation> {
  const { keep, isWhole, directory } = at;
  if (keep === undefined && !isWhole) throw new ForkFailure("Codebuff has not told where that turn ended");
  const upTo = keep === undefined ? [] : [`--up-to=${keep}`];
  const into = options.directory === directory ? [] : [`--into=${options.directory}`];
  const args = ["sessions", "fork", at.nativeSessionId, `--cwd=${directory}`, ...upTo, ...into];
  const said = await runCodebuff(host, options, { args, directory }).catch((error: unknown) => {
    throw new ForkFailure(`Codebuff did not fork the conversation: ${messageOf(error)}`);
  });
  return { nativeSessionId: said.trim() };
}
