import {
  cutOff,
  endsWith,
  isOneOf,
  type LeftOutTable,
  leaveOut,
  nesting,
  plainNo,
  plans,
  requestsIn,
  updatesOf,
  usuallyLeftOut,
} from "../../converter/left-out.ts";

/** What OpenCode has no words for. */
export const opencodeLeftOut: LeftOutTable = {
  events: [
    ...usuallyLeftOut,
    nesting,
    plans,
    cutOff,
    ...requestsIn("execute", "edit", "read", "fetch"),
    endsWith("to OpenCode a turn ends well, is stopped or fails; it tells the tokens of each call of the model"),
    leaveOut(
      "usage.updated",
      "OpenCode tells the tokens of each call of the model, and a session has their sum",
      isOneOf("usage.updated"),
    ),
    updatesOf("OpenCode tells nothing else of a session", "title"),
    leaveOut(
      "status items, and words of the person",
      "OpenCode has parts only for files that changed and for a compaction; whose words a message is, is not read back",
      (body) => "item" in body.data && (body.data.item.kind === "status" || body.data.item.role === "user"),
    ),
    leaveOut(
      "input and output of a tool while it is written and runs",
      "OpenCode tells a call whole at each change",
      (body) => body.type === "item.delta" && (body.data.part === "input" || body.data.part === "output"),
    ),
    leaveOut("error", "to OpenCode an error ends its turn, and is told with that end", isOneOf("error")),
  ],
  input: [plainNo],
};
