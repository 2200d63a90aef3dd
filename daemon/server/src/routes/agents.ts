import { FrameStream, type Grant } from "@muster/http";
import { Failure } from "@muster/schema/wire";
import { installFrames } from "../frames/install-progress.ts";
import type { Routes } from "./route.ts";

export const agentRoutes = {
  "agents.list": async (_, { engine }) => ({ agents: await engine.agents.list() }),
  "agents.get": ({ params }, { engine }) => engine.agents.info(params.agent),
  "agents.install": ({ params, body }, { engine: { agents }, headers }) => {
    if (!headers.accept?.includes("text/event-stream")) return agents.install(params.agent, body);
    return new FrameStream(
      installFrames((progress) => agents.install(params.agent, body, progress)),
      () => "installing",
    );
  },
  "agents.uninstall": ({ params, query }, { engine }) => engine.uninstall(params.agent, query),
  "agents.listModels": async ({ params }, { engine, grant }) => {
    checkAgent(grant, params.agent);
    return { models: await engine.agents.models(params.agent) };
  },
  "agents.listModes": async ({ params }, { engine, grant }) => {
    checkAgent(grant, params.agent);
    return { modes: await engine.agents.modes(params.agent) };
  },
} satisfies Partial<Routes>;

/** These may start the agent's program, or install it. */
function checkAgent({ agents }: Grant, agent: string): void {
  if (agents?.has(agent) !== false) return;
  throw new Failure("token_limited", `This token is for the agents ${[...agents].join(", ")}`);
}
