import { randomUUID } from "node:crypto";
import type { Model } from "@muster/schema";
import { AgentStartFailure, type OpenOptions } from "../adapter.ts";
import { openLife } from "../channel/open-life.ts";
import type { AgentHost } from "../host.ts";
import { findInstalled } from "../install/installed/find-installed.ts";
import { claudeConverter } from "./converter.ts";
import { claudeRelease } from "./release.ts";
import { startChannel } from "./run/process.ts";
import type { ModelEntry } from "./wire/native.ts";
import { isFullId, withoutWindow } from "./write/commands.ts";

/** host → version of the program → its models. They are part of the program, so they are asked for once. */
const known = new WeakMap<AgentHost, Map<string, Promise<Model[]>>>();

/** The models Claude lists at its start; it needs no network and no key for that. */
export async function listModels(host: AgentHost): Promise<Model[]> {
  const version = (await findInstalled(host, claudeRelease, { trusting: true }))?.version ?? "";
  const ofHost = known.get(host) ?? new Map<string, Promise<Model[]>>();
  known.set(host, ofHost);
  const asked = ofHost.get(version) ?? askModels(host);
  ofHost.set(version, asked);
  asked.catch(() => ofHost.delete(version));
  return asked;
}

/** Claude takes any name and fails at its first call; behind an endpoint of the session's own there may be any model. */
export async function checkModel(host: AgentHost, { model, baseUrl }: OpenOptions): Promise<void> {
  if (model === undefined || baseUrl !== undefined || isFullId(model)) return;
  const names = (await listModels(host)).map(({ id }) => id);
  if (names.includes(withoutWindow(model))) return;
  const message = `Claude Code has no model '${model}', only ${names.join(", ")} and full model ids`;
  throw new AgentStartFailure("unsupported", message);
}

/** Nobody listens there. With a key and its own endpoint it would ask for settings first, without a network for 17 s. */
const noModel = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "sk-ant-none" };

async function askModels(host: AgentHost): Promise<Model[]> {
  const options: OpenOptions = {
    sessionId: "models",
    directory: host.home,
    permissionMode: "default",
    env: {},
    mcp: {},
    agentOptions: {},
  };
  let models: readonly ModelEntry[] = [];
  const life = await openLife({
    channel: await startChannel(host, options, { begin: randomUUID() }, { env: { ...noModel } }),
    converter: claudeConverter,
    facts: (state) => {
      models = state.models;
      return state.facts;
    },
  });
  await life.close();
  return models.map(modelOf);
}

function modelOf({ value, displayName, resolvedModel, supportedEffortLevels }: ModelEntry): Model {
  return {
    id: value,
    name: displayName ?? undefined,
    provider: "anthropic",
    default: value === "default" ? true : undefined,
    resolvesTo: resolvedModel ?? undefined,
    variants: supportedEffortLevels ?? undefined,
  };
}
