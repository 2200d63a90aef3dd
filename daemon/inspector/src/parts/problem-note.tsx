import { SafeText } from "@muster/web-parts";
import type { ComponentChildren } from "preact";
import type { Problem } from "../model/problem.ts";

/** A problem beside what was tried, with what mends it. */
export function ProblemNote({ problem, children }: { problem: Problem | undefined; children?: ComponentChildren }) {
  if (problem === undefined) return null;
  return (
    <div class="note failed problem" role="alert">
      <p>
        <SafeText text={problem.text} />
      </p>
      {children}
    </div>
  );
}
