import { type AgentInfo, type Capabilities, type CreateSession, Failure, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defaultModel, models, modes } from "./models.ts";
import { MockOptions } from "./options.ts";
import { openMock, program } from "./run/process.ts";
import { version } from "./run/program/version.ts";

const capabilities: Capabilities = {
  deltas: true,
  reasoning: true,
  permissions: true,
  questions: true,
  planApproval: true,
  steer: true,
  interrupt: true,
  resume: true,
  images: true,
  mcp: false,
  subagents: true,
  todos: true,
  cost: true,
  sharedServer: true,
  permissionModes: [...PermissionMode.options],
};

/** An agent without a model that does what its prompts say: `help` lists them. */
export const mock: Adapter = {
  id: "mock",
  name: "Mock",
  capabilities,
  live: new Set(["model", "permissionMode"]),
  check,
  async info(host): Promise<AgentInfo> {
    const found = { installed: true, version, path: program, source: "built in", credentialsAvailable: true };
    return { id: mock.id, name: mock.name, ...found, capabilities, serverStatus: host.servers.status(mock.id) };
  },
  async install(_host, request) {
    if (request.version !== undefined && request.version !== version) {
      const detail = `The mock agent is part of the daemon; there is only version ${version}`;
      throw new Failure("install_failed", detail, { agent: mock.id, version: request.version, sources: [] });
    }
    return { version, path: program, source: "built in", verifiedBy: "part of the daemon", alreadyInstalled: true };
  },
  models: async () => models,
  modes: async () => modes,
  open: openMock,
};

function check(settings: CreateSession): void {
  const { model = defaultModel, variant, agentMode, agentVersion, baseUrl, mcp, agentOptions = {} } = settings;
  if (mcp !== undefined && Object.keys(mcp).length > 0) throw refusal("mcp", "The mock agent has no MCP client");
  if (baseUrl !== undefined) throw refusal("baseUrl", "The mock agent calls no model");
  if (agentVersion !== undefined && agentVersion !== version) {
    throw refusal("agentVersion", `There is only version ${version} of the mock agent`);
  }
  const known = models.find(({ id }) => id === model);
  if (known === undefined) {
    throw refusal("model", `The mock agent has no model '${model}', only ${models.map(({ id }) => id).join(", ")}`);
  }
  if (variant !== undefined && known.variants?.includes(variant) !== true) {
    throw refusal("variant", `The model ${model} has no variant '${variant}'`);
  }
  if (agentMode !== undefined && !modes.some(({ id }) => id === agentMode)) {
    throw refusal(
      "agentMode",
      `The mock agent has no mode '${agentMode}', only ${modes.map(({ id }) => id).join(", ")}`,
    );
  }
  const options = MockOptions.safeParse(agentOptions);
  if (!options.success) {
    const issue = options.error.issues[0];
    throw refusal("agentOptions", `agentOptions ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  }
}

function refusal(option: string, detail: string): Failure {
  return new Failure("unsupported_option", detail, { option });
}
