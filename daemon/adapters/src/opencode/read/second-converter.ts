import type { Converter, Resume } from "../../converter/converter.ts";
import { chain, emit } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { OpencodeNative } from "../wire/native.ts";
import { SecondEvent, secondTypeOf } from "../wire/second.ts";
import type { Settings } from "../wire/settings.ts";
import type { OpencodeState, OpencodeStep } from "../wire/state.ts";
import { isSecondIgnorable } from "./second-ignored.ts";
import { type Heard, inFirstWords, nothingHeard } from "./second-lines.ts";

interface SecondState {
  first: OpencodeState;
  heard: Heard;
}

/** OpenCode 2 by the converter of version 1: each line is told in the words of version 1 and then understood as there. */
export function secondConverter(
  first: Converter<OpencodeState, OpencodeNative>,
  { nativeSessionId: root, directory }: Settings,
): Converter<SecondState, OpencodeNative> {
  return {
    initial: (resume?: Resume) => ({ first: first.initial(resume), heard: nothingHeard }),
    step(state, input) {
      const type = "native" in input ? secondTypeOf(input.native) : undefined;
      // What the daemon writes itself is in the words of version 1.
      if (!("native" in input) || type === undefined) return withHeard(state.heard, first.step(state.first, input));
      if (isSecondIgnorable(type)) return emit(state);
      const read = SecondEvent.safeParse(input.native);
      if (!read.success) {
        const [issue] = read.error.issues;
        const reason =
          issue?.path[0] === "type"
            ? `Unknown event of OpenCode 2: ${type}`
            : `${type} ${issue?.path.join(".")}: ${issue?.message}`;
        return emit(state, unparsed(input.native, reason, "opencode"));
      }
      const { heard, lines } = inFirstWords(state.heard, read.data, { root, directory });
      const steps = lines.map((native) => (now: OpencodeState) => first.step(now, { native }));
      return withHeard(heard, chain(state.first, ...steps));
    },
  };
}

function withHeard(heard: Heard, { state, ...rest }: OpencodeStep) {
  return { state: { first: state, heard }, ...rest };
}
