import type { AgentInfo, Mode, Model } from "@muster/schema";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../store/page.tsx";

export interface AgentChoices {
  agent?: AgentInfo;
  models: readonly Model[];
  modes: readonly Mode[];
  reload(): void;
}

/** What can be chosen of an agent. What it does not tell, or cannot while it is not installed, is an empty list. */
export function useAgentChoices(id: string): AgentChoices {
  const { daemon } = usePage();
  const [found, setFound] = useState<Omit<AgentChoices, "reload">>({ models: [], modes: [] });
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let isGone = false;
    const add = (part: Partial<AgentChoices>) => !isGone && setFound((before) => ({ ...before, ...part }));
    setFound({ models: [], modes: [] });
    if (id !== "") void load(add).catch((error: unknown) => daemon.locksOn(error));
    return () => {
      isGone = true;
    };
  }, [id, version]);
  return { ...found, reload: () => setVersion(version + 1) };

  async function load(add: (part: Partial<AgentChoices>) => void): Promise<void> {
    const { agents } = daemon.client;
    const agent = await agents.get({ agent: id });
    add({ agent });
    if (!agent.installed) return;
    const { capabilities } = agent;
    await Promise.allSettled([
      capabilities?.models && agents.listModels({ agent: id }).then(({ models }) => add({ models })),
      capabilities?.modes && agents.listModes({ agent: id }).then(({ modes }) => add({ modes })),
    ]);
  }
}
