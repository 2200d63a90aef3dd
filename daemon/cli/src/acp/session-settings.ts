import type { McpServer as AcpMcpServer, SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Client } from "@muster/client";
import {
  type AgentInfo,
  Failure,
  type McpServer,
  type Mode,
  type Model,
  type Session,
  type UpdateSession,
} from "@muster/schema";

/** What an agent offers to choose from; asked once, as it does not change while the editor runs. */
export interface Offer {
  info: AgentInfo;
  models: Model[];
  modes: Mode[];
}

export async function offerOf(client: Client, agent: string): Promise<Offer> {
  const info = await client.agents.get({ agent });
  // An agent that cannot tell its models without a key still works with its own default.
  const none = (error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  };
  const [models, modes] = await Promise.all([
    client.agents.listModels({ agent }).then((answer) => answer.models, none),
    client.agents.listModes({ agent }).then((answer) => answer.modes, none),
  ]);
  return { info, models, modes };
}

/** Agent mode → the editor's modes; model, variant and permission mode → its config options. */
export function settingsOf(
  session: Session,
  offer: Offer,
): { modes?: SessionModeState; configOptions: SessionConfigOption[] } {
  const options = [modelOption(session, offer), variantOption(session, offer), permissionOption(session, offer)];
  const currentModeId = session.agentMode ?? offer.modes.find((mode) => mode.default)?.id ?? offer.modes[0]?.id;
  const availableModes = offer.modes.map(({ id, name = id, description }) => ({ id, name, description }));
  return {
    ...(currentModeId !== undefined && { modes: { currentModeId, availableModes } }),
    configOptions: options.filter((option) => option !== undefined),
  };
}

/** The change of a session that a config option asks for. */
export function changeOf(configId: string, value: string): UpdateSession {
  switch (configId) {
    case "model":
      return { model: value };
    case "variant":
      return { variant: value };
    case "permissionMode":
      return { permissionMode: value as UpdateSession["permissionMode"] };
  }
  throw new Failure("invalid_request", `There is no option ${configId}`);
}

export function mcpOf(servers: readonly AcpMcpServer[]): Record<string, McpServer> {
  return Object.fromEntries(
    servers.map((server) => {
      const name = server.name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
      if ("command" in server) {
        const { command, args, env } = server;
        return [name, { command, args, env: Object.fromEntries(env.map((one) => [one.name, one.value])) }];
      }
      return [
        name,
        { url: server.url, headers: Object.fromEntries(server.headers.map((one) => [one.name, one.value])) },
      ];
    }),
  );
}

function modelOption(session: Session, { models }: Offer): SessionConfigOption | undefined {
  const currentValue = session.model ?? models.find((model) => model.default)?.id ?? models[0]?.id;
  if (currentValue === undefined || models.length === 0) return undefined;
  const known = models.map(({ id, name = id }) => ({ value: id, name }));
  const options = known.some(({ value }) => value === currentValue)
    ? known
    : [{ value: currentValue, name: currentValue }, ...known];
  return { type: "select", id: "model", name: "Model", category: "model", currentValue, options };
}

function variantOption(session: Session, { models }: Offer): SessionConfigOption | undefined {
  const model = models.find(({ id, default: isDefault }) =>
    session.model === undefined ? isDefault : id === session.model,
  );
  const variants = model?.variants ?? [];
  const currentValue = session.variant ?? variants[0];
  if (currentValue === undefined || variants.length === 0) return undefined;
  const options = variants.map((variant) => ({ value: variant, name: variant }));
  return { type: "select", id: "variant", name: "Effort", category: "thought_level", currentValue, options };
}

const permissionModeNames = {
  default: "Ask before edits and commands",
  acceptEdits: "Let edits pass",
  plan: "Change nothing",
  bypass: "Ask nothing",
} as const;

function permissionOption(session: Session, { info }: Offer): SessionConfigOption | undefined {
  const modes = info.capabilities?.permissionModes ?? [];
  if (modes.length === 0) return undefined;
  const options = modes.map((mode) => ({ value: mode, name: permissionModeNames[mode] }));
  const currentValue = session.permissionMode;
  return { type: "select", id: "permissionMode", name: "Permissions", category: "_permissions", currentValue, options };
}
