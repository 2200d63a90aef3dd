import type { Converter, Input } from "../converter/converter.ts";
import { handleByType } from "../converter/line-handler.ts";
import { chain, emit } from "../converter/steps.ts";
import { type LineHandler, lineHandler } from "./read/line-handler.ts";
import { endUnended, onAssistant } from "./read/on-assistant.ts";
import { onPermission, onWithdrawn } from "./read/on-permission.ts";
import { onProcessEnded, onResult } from "./read/on-result.ts";
import { onSystem, onTick } from "./read/on-system.ts";
import { onUser } from "./read/on-user.ts";
import {
  type AmpNative,
  AssistantLine,
  PermissionLine,
  ResultLine,
  SystemLine,
  UserLine,
  WithdrawnLine,
} from "./wire/native.ts";
import { type AmpState, type AmpStep, initialState } from "./wire/state.ts";
import { writeCommand } from "./write/commands.ts";

export const ampConverter: Converter<AmpState, AmpNative> = {
  initial: initialState,

  step(state: AmpState, input: Input<AmpNative>): AmpStep {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return writeCommand(state, input.command);
    if ("tick" in input) {
      const { nowMs } = input;
      return chain(
        state,
        (before) => onTick(before, nowMs),
        (before) => endUnended(before, nowMs),
      );
    }
    return emit(state);
  },
};

/** type → what it means; the last three are told by the channel, not by Amp. */
const handlers: Readonly<Record<string, LineHandler>> = {
  system: lineHandler(SystemLine, onSystem),
  user: lineHandler(UserLine, onUser),
  assistant: lineHandler(AssistantLine, onAssistant),
  result: lineHandler(ResultLine, onResult),
  permission_request: lineHandler(PermissionLine, onPermission),
  permission_withdrawn: lineHandler(WithdrawnLine, (state, line) => onWithdrawn(state, line.request_id)),
  process_ended: onProcessEnded,
};

const stepNative = handleByType("amp", handlers);
