import type { HandleSteps } from "@muster/codebuff-protocol";
import { call, hidden } from "./calls.ts";
import { textSince } from "./messages.ts";

/** A cheap model names paths from the tree; they are read by program, and it sums up what it sees. */
export function pickFiles(most: number): HandleSteps {
  return function* ({ agentState }) {
    const named = yield "STEP";
    const paths = pathsIn(textSince(named, agentState.messageHistory.length)).slice(0, most);
    if (paths.length === 0) return;
    yield call("read_files", { paths });
    const content =
      "These are the files. Answer the request now: for each file that matters its path and, in one or two lines, what in it matters and why, with names of functions and types. Leave out files that do not matter. No code.";
    yield hidden("add_message", { role: "user", content });
    yield "STEP";
  };
}

/** One path per line; marks of lists and quotes around it do not belong to it. */
function pathsIn(text: string): string[] {
  const paths = text
    .split("\n")
    .map((line) => line.replace(/^[\s\-*\d.)]*[`"']?|[`"',:]*\s*$/g, ""))
    .filter((line) => /^[^\s<>]+$/.test(line) && /[./]/.test(line));
  return [...new Set(paths)];
}
