import { chain, emit } from "../../converter/steps.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import type { PermissionLine } from "../wire/native.ts";
import type { AmpState, AmpStep } from "../wire/state.ts";
import { permissionFor } from "../wire/tools.ts";
import { startCall } from "./tool-calls.ts";

/** Amp waits with the call until the program it runs for this has an answer. The line of the call may come later. */
export function onPermission(state: AmpState, line: PermissionLine): AmpStep {
  const { request_id: requestKey, tool_use_id: callId, tool_name: name, input } = line;
  return chain(
    state,
    (before) => startCall(before, { callId, name, input }),
    (before) =>
      emit(before, {
        type: "permission.asked",
        data: {
          requestKey,
          ...permissionFor(name, asInput(input), before.directory),
          itemId: before.calls.get(callId)?.itemId,
        },
      }),
  );
}

export function onWithdrawn(state: AmpState, requestKey: string): AmpStep {
  return emit(state, { type: "request.withdrawn", data: { requestKey } });
}
