import { untilAborted } from "@muster/core";
import type { OpenOptions } from "../../adapter.ts";
import { RpcFailure } from "../../channel/json-rpc.ts";
import { type ForkedConversation, ForkFailure, type ForkPoint } from "../../fork-point.ts";
import type { AgentHost } from "../../host.ts";
import { withSessionServer } from "../run/process.ts";
import { ThreadOpened } from "../wire/native.ts";

/** `thread/fork` names the last turn that stays, or the first that goes; its file is on the disk when it answers (0.166.0). */
export async function forkCodex(host: AgentHost, options: OpenOptions, at: ForkPoint): Promise<ForkedConversation> {
  const { nativeSessionId: threadId, keep, drop, isWhole } = at;
  if (keep === undefined && drop === undefined && !isWhole) throw new ForkFailure("Codex has not told of that turn");
  const place = isWhole ? {} : keep === undefined ? { beforeTurnId: drop } : { lastTurnId: keep };
  return await withSessionServer(host, options, async (server, params) => {
    const asked = { ...params, ...place, threadId, excludeTurns: true };
    try {
      const answer = await untilAborted(server.request("thread/fork", asked), options.signal);
      const forked = ThreadOpened.parse(answer).thread.id;
      // It stays loaded otherwise, with the settings of now.
      await server.request("thread/unsubscribe", { threadId: forked });
      return { nativeSessionId: forked };
    } catch (error) {
      throw error instanceof RpcFailure ? new ForkFailure(`Codex did not fork the thread: ${error.message}`) : error;
    }
  });
}
