import { SafeText } from "@muster/web-parts";
import type { Problem } from "../model/problem.ts";

/** Field of the form → what its button says; without a field's value the daemon or the agent chooses. */
const mends = {
  directory: "Use the daemon's own directory",
  permissionMode: "Ask before edits and commands",
  model: "Let the agent choose",
  variant: "As usual",
  agentMode: "As usual",
  sessionId: "Let the daemon make one",
  token: "Use none",
  baseUrl: "Use the provider's own",
  agentVersion: "Use the tested version",
  systemPrompt: "Leave them out",
} as const;
const underMore: readonly string[] = ["sessionId", "token", "baseUrl", "agentVersion", "systemPrompt"];

export type Mendable = keyof typeof mends;

/** What is wrong with the value of a field, and the button that puts it right. */
export function WrongField({ problem, onMend }: { problem: Problem; onMend(): void }) {
  return (
    <>
      <SafeText text={problem.text} />
      <button type="button" onClick={onMend}>
        {mendOf(problem)}
      </button>
    </>
  );
}

/** undefined for what is wrong with no field of the form. */
export function mendOf(problem: Problem | undefined): string | undefined {
  return (mends as Readonly<Record<string, string>>)[problem?.field ?? ""];
}

export function isUnderMore(problem: Problem | undefined): boolean {
  return underMore.includes(problem?.field ?? "");
}
