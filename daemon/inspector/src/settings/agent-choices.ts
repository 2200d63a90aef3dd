import type { AgentInfo, Mode, Model } from "@muster/schema";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../store/page.tsx";

export interface AgentChoices {
  agent?: AgentInfo;
  /** Absent until the agent has told them; what it does not tell, or cannot while it is not installed, is an empty list. */
  models?: readonly Model[];
  modes?: readonly Mode[];
  reload(): void;
}

/** What can be chosen of an agent. Its lists are asked for when they are wanted: some agents have to be started for that. */
export function useAgentChoices(id: string, wantsLists = true): AgentChoices {
  const { daemon } = usePage();
  const [found, setFound] = useState<Omit<AgentChoices, "reload">>({});
  const [version, setVersion] = useState(0);
  const { client } = daemon;
  useEffect(() => {
    let isGone = false;
    setFound({});
    if (id !== "") {
      client.agents
        .get({ agent: id })
        .then((agent) => !isGone && setFound({ agent }))
        .catch((error: unknown) => daemon.locksOn(error));
    }
    return () => {
      isGone = true;
    };
  }, [id, version]);
  const { agent } = found;
  useEffect(() => {
    let isGone = false;
    const add = (part: Partial<AgentChoices>) => !isGone && setFound((before) => ({ ...before, ...part }));
    const read = async <T>(canTell: boolean | undefined, list: () => Promise<T>, none: T) => {
      // An agent that cannot tell now is one that offers no choice.
      return canTell && agent?.installed ? await list().catch(() => none) : none;
    };
    if (agent !== undefined && wantsLists) {
      const { capabilities } = agent;
      void read(capabilities?.models, () => client.agents.listModels({ agent: id }), { models: [] }).then(add);
      void read(capabilities?.modes, () => client.agents.listModes({ agent: id }), { modes: [] }).then(add);
    }
    return () => {
      isGone = true;
    };
  }, [agent, wantsLists]);
  return { ...found, reload: () => setVersion(version + 1) };
}
