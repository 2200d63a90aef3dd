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

/** What an agent offers to choose from. */
export interface Offer {
  info: AgentInfo;
  models: Model[];
  modes: Mode[];
  /** Something could not be told, as before an install: asked again later, it may be. */
  isPartial: boolean;
}

export async function offerOf(client: Client, agent: string): Promise<Offer> {
  const info = await client.agents.get({ agent });
  // An agent that cannot tell its models without a key still works with its own default.
  const none = (error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  };
  const [models, modes] = await Promise.all([
    client.agents.listModels({ agent }).then((answer) => answer.models, none),
    client.agents.listModes({ agent }).then((answer) => answer.modes, none),
  ]);
  return { info, models: models ?? [], modes: modes ?? [], isPartial: models === undefined || modes === undefined };
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

/** The change of a session that a config option asks for; what nobody has set cannot be chosen again. */
export function changeOf(configId: string, value: string): UpdateSession {
  if (value === notSet) return {};
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

/** An editor wants a current value of every option; this one says that nobody has chosen, and is offered only then. */
const notSet = "muster:not-set";

type Choice = { value: string; name: string };

function modelOption(session: Session, { models }: Offer): SessionConfigOption | undefined {
  if (models.length === 0) return undefined;
  const known = models.map(({ id, name = id }) => ({ value: id, name }));
  const current = session.model === undefined ? undefined : (modelOf(session, models)?.id ?? session.model);
  const asDefault = models.find((model) => model.default)?.id;
  return selectOption({ id: "model", name: "Model", category: "model" }, known, current ?? asDefault);
}

function variantOption(session: Session, { models }: Offer): SessionConfigOption | undefined {
  const variants = modelOf(session, models)?.variants ?? [];
  if (variants.length === 0) return undefined;
  const known = variants.map((variant) => ({ value: variant, name: variant }));
  return selectOption({ id: "variant", name: "Effort", category: "thought_level" }, known, session.variant);
}

/** The model a session has, by its id or by what that id stands for: an agent tells the latter once it runs. */
function modelOf({ model }: Session, models: readonly Model[]): Model | undefined {
  if (model === undefined) return models.find((one) => one.default);
  const standing = models.filter((one) => one.resolvesTo === model);
  // Of several names for one model the plain default says least.
  return models.find(({ id }) => id === model) ?? standing.find((one) => !one.default) ?? standing[0];
}

function selectOption(
  head: { id: string; name: string; category: string },
  known: readonly Choice[],
  current: string | undefined,
): SessionConfigOption {
  const currentValue = current ?? notSet;
  const isKnown = known.some(({ value }) => value === currentValue);
  const first = { value: currentValue, name: current ?? "Not set" };
  return { type: "select", ...head, currentValue, options: isKnown ? [...known] : [first, ...known] };
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
