import type { HarnessV1NetworkSandboxSession, HarnessV1SandboxProvider } from "@ai-sdk/harness";

/**
 * For `HarnessAgent`, which wants a sandbox: the daemon's machine is it, and nothing is started. Use it with the setting
 * `directory`. A daemon inside a sandbox of yours needs that sandbox's provider instead.
 */
export const daemonSandbox: HarnessV1SandboxProvider = {
  specificationVersion: "harness-sandbox-v1",
  providerId: "muster",
  createSession: async () => session,
  resumeSession: async () => session,
};

const session: HarnessV1NetworkSandboxSession = {
  id: "muster",
  description: "The machine of the daemon; its agents reach it, this process does not",
  defaultWorkingDirectory: "/",
  ports: [],
  // The framework makes its working directory with this one; the agent's is made by whoever runs the daemon.
  run: async () => ({ exitCode: 0, stdout: "", stderr: "" }),
  spawn: absent,
  readFile: absent,
  readBinaryFile: absent,
  readTextFile: absent,
  writeFile: absent,
  writeBinaryFile: absent,
  writeTextFile: absent,
  getPortEndpoint: absent,
  getPortUrl: absent,
  stop: async () => {},
  destroy: async () => {},
  restricted: () => session,
};

async function absent(): Promise<never> {
  throw new Error("The daemon's machine is reached by its agents only");
}
