import type { AgentInfo } from "@muster/schema";
import { bytes } from "@muster/web-parts/model";
import { useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { type InstallStep, installAgent } from "../store/install.ts";
import { usePage } from "../store/page.tsx";

/** Installs or updates an agent and shows how far it is. */
export function InstallButton({ agent, onDone }: { agent: AgentInfo; onDone(): void }) {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [step, setStep] = useState<InstallStep>();
  const { id: name, installed } = agent;
  const install = async () => {
    setStep({ stage: "asking" });
    const version = installed ? "latest" : undefined;
    const isDone = await attempt(() => installAgent(daemon, name, { version, onStep: setStep }));
    setStep(undefined);
    if (isDone) onDone();
  };
  if (step === undefined) {
    return (
      <>
        <button type="button" onClick={install} aria-label={`${installed ? "Update" : "Install now"} ${agent.name}`}>
          {installed ? "Update" : "Install now"}
        </button>
        <ProblemNote problem={problem} />
      </>
    );
  }
  const { stage, receivedBytes = 0, totalBytes } = step;
  return (
    <span class="progress" role="status">
      <progress
        aria-label={`Installing ${agent.name}`}
        max={totalBytes}
        value={totalBytes ? receivedBytes : undefined}
      />
      {stage} {receivedBytes > 0 && bytes(receivedBytes)}
    </span>
  );
}
