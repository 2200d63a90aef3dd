import type { Item, ItemStatus } from "@muster/schema";
import type { Watch } from "../violation.ts";

/**
 * A call and its result ended in the same way, for every agent: completed, or with an error; and a command that ended with
 * another code than 0 did not complete.
 */
export const results: Watch = (report) => {
  /** callId → how the call ended. */
  const calls = new Map<string, ItemStatus>();
  return {
    see(event) {
      if (event.type !== "item.completed" || event.truncated !== undefined) return;
      const { item } = event.data;
      for (const part of item.content) {
        if (part.type === "tool_call") calls.set(part.callId, item.status);
        if (part.type !== "tool_result") continue;
        const { callId, isError, exitCode = 0 } = part;
        if (isError !== (item.status !== "completed")) {
          report(`${item.itemId} is ${item.status}, and its result says isError ${isError}`);
        }
        if (exitCode !== 0 && !isError) report(`${item.itemId} ended with code ${exitCode} and is no error`);
        const status = calls.get(callId);
        calls.delete(callId);
        if (status !== undefined && !isSameEnd(status, item)) {
          report(`the call ${callId} is ${status}, its result ${item.itemId} is ${item.status}`);
        }
      }
    },
    end() {},
  };
};

/** A call whose turn ended may be told cancelled before its result comes. */
function isSameEnd(call: ItemStatus, { status }: Item): boolean {
  return call === status || call === "cancelled";
}
