import { withoutEntry } from "@muster/core";
import { chain, emit } from "../../converter/steps.ts";
import { type CodebuffState, type CodebuffStep, root } from "../wire/state.ts";
import { closeSpoken } from "./on-text.ts";

/** A steering message has entered the run; what comes now is said with it in mind. */
export function onJoined(state: CodebuffState, { messageId }: { messageId: string }): CodebuffStep {
  return chain(
    state,
    (before) => closeSpoken(before, root),
    (before) => {
      const turn = { ...before.turn, messageIds: [...before.turn.messageIds, messageId] };
      const next = { ...before, waiting: withoutEntry(before.waiting, messageId), turn };
      return emit(next, { type: "message.joined", data: { messageId } });
    },
  );
}
