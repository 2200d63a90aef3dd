import { type AgentInfo, type Capabilities, type CreateSession, Failure, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { surroundingsOf } from "../credentials/discovery.ts";
import { findInstalled } from "../install/find-installed.ts";
import { ensureInstalled } from "../install/installer.ts";
import { codexCredentials } from "./credentials.ts";
import { codexModels, codexModes, efforts } from "./models.ts";
import { CodexOptions } from "./options.ts";
import { codexRelease } from "./release.ts";
import { openCodex } from "./run/process.ts";

const capabilities: Capabilities = {
  deltas: true,
  reasoning: true,
  permissions: true,
  questions: true,
  /** Codex proposes plans as items; it does not wait for an answer to them. */
  planApproval: false,
  steer: true,
  interrupt: true,
  resume: true,
  images: true,
  mcp: true,
  subagents: true,
  todos: true,
  cost: false,
  sharedServer: true,
  permissionModes: [...PermissionMode.options],
};

/** Codex through its app-server: threads of one process, JSON-RPC over its pipes. */
export const codex: Adapter = {
  id: "codex",
  name: "Codex",
  capabilities,
  live: new Set(["model", "agentMode", "variant", "permissionMode"]),
  check,
  async info(host): Promise<AgentInfo> {
    const found = await findInstalled(host, codexRelease, { trusting: true });
    const { credentials } = await codexCredentials.discover(surroundingsOf(host));
    return {
      id: codex.id,
      name: codex.name,
      installed: found !== undefined,
      ...(found && { version: found.version, path: found.path, source: found.source }),
      credentialsAvailable: credentials.length > 0,
      capabilities,
      serverStatus: host.servers.status(codex.id),
    };
  },
  install: (host, request, progress) => ensureInstalled(host, codexRelease, request, progress),
  models: codexModels,
  modes: async () => codexModes,
  open: openCodex,
};

/** Variables that would choose another key, endpoint or home than the session says. */
const reserved = /^(CODEX_|OPENAI_)/;

function check({ variant, agentMode, env = {}, agentOptions = {} }: CreateSession): void {
  if (variant !== undefined && !efforts.includes(variant)) {
    throw refusal("variant", `Codex has no effort '${variant}', only ${efforts.join(", ")}`);
  }
  if (agentMode !== undefined && !codexModes.some(({ id }) => id === agentMode)) {
    throw refusal("agentMode", `Codex has no mode '${agentMode}', only ${codexModes.map(({ id }) => id).join(", ")}`);
  }
  const name = Object.keys(env).find((variable) => reserved.test(variable));
  if (name !== undefined) throw refusal("env", `${name} is set by the daemon; use token and baseUrl`);
  const options = CodexOptions.safeParse(agentOptions);
  if (!options.success) {
    const issue = options.error.issues[0];
    throw refusal("agentOptions", `agentOptions ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  }
}

function refusal(option: string, detail: string): Failure {
  return new Failure("unsupported_option", detail, { option });
}
