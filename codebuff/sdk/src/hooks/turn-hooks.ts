import type { Turns } from "@muster/codebuff-runtime";
import type { Hooks } from "./hooks.ts";

/** The hooks at the turning points of agents. */
export function turnHooks(hooks: Hooks): Turns {
  return {
    async begins({ agentId, agentType, isRoot }, prompt) {
      if (isRoot) return undefined;
      const fields = { agent_id: agentId, agent_type: agentType, prompt };
      return asText((await hooks.fire("SubagentStart", fields, [agentType])).context);
    },
    async ends({ agentId, agentType, isRoot }, last, isSentOn) {
      const told = { stop_hook_active: isSentOn, last_assistant_message: last };
      const outcome = isRoot
        ? await hooks.fire("Stop", told)
        : await hooks.fire("SubagentStop", { ...told, agent_id: agentId, agent_type: agentType }, [agentType]);
      return outcome.stop === undefined ? outcome.block : undefined;
    },
    async shortens({ isRoot }) {
      if (isRoot) await hooks.fire("PreCompact", { trigger: "auto" }, ["auto"]);
    },
  };
}

function asText(context: readonly string[]): string | undefined {
  return context.length === 0 ? undefined : context.join("\n\n");
}
