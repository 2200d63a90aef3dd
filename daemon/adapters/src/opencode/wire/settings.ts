import type { PermissionMode } from "@muster/schema";
import type { Command } from "../../commands.ts";

/** What one session on the server is, and what its prompts are sent with. */
export interface Settings {
  nativeSessionId: string;
  directory: string;
  providerID: string;
  modelID: string;
  permissionMode: PermissionMode;
  agentMode?: string;
  variant?: string;
  systemPrompt?: string;
  contextWindow?: number;
  /** Prices of the model are known, so a cost of 0 is a cost. */
  priced?: boolean;
  /** Names of MCP servers; their tools begin with them. */
  mcpServers: readonly string[];
  /** The newest message from before this life. Ids of messages ascend. */
  lastMessageId?: string;
}

export interface ModelName {
  providerID: string;
  modelID: string;
}

/** `provider/model`; the model's own name may have slashes. Undefined when there is no provider. */
export function modelName(model: string): ModelName | undefined {
  const slash = model.indexOf("/");
  if (slash <= 0 || slash === model.length - 1) return undefined;
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

export function changeSettings(settings: Settings, command: Extract<Command, { type: "update" }>): Settings {
  const { model, agentMode, variant, permissionMode } = command;
  const name = model === undefined ? {} : (modelName(model) ?? {});
  return {
    ...settings,
    ...name,
    agentMode: agentMode ?? settings.agentMode,
    variant: variant ?? settings.variant,
    permissionMode: permissionMode ?? settings.permissionMode,
  };
}
