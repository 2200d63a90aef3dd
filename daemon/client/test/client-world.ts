import { mkdirSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientWorld, CuttingProxy, ProcessDriver, typescriptDriver } from "@muster/conformance";
import { SandboxDaemon } from "../src/index.ts";
import { inline } from "../src/inline/index.ts";
import { type SpawnedDaemon, spawn } from "../src/node/index.ts";

export const daemonCommand = [
  process.execPath,
  fileURLToPath(new URL("../../cli/bin/sandbox-daemon.cjs", import.meta.url)),
] as const;

const python = fileURLToPath(new URL("../../../python", import.meta.url));
const reconnect = { attempts: 50, firstDelayMs: 1, maxDelayMs: 200 };

/** A home of its own: what runs in it sees nothing of the user's. */
export async function makeHome() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "muster-client-")));
  const directory = join(path, "work");
  mkdirSync(directory);
  const env = { PATH: process.env.PATH, HOME: path };
  return {
    directory,
    dataDirectory: join(path, "data"),
    env,
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}

export type Home = Awaited<ReturnType<typeof makeHome>>;

export function spawnIn({ dataDirectory, env }: Home, token?: string, args?: string[]): Promise<SpawnedDaemon> {
  return spawn({ command: [...daemonCommand], dataDirectory, env, token, args });
}

/** A daemon in a process of its own, behind a proxy that cuts. */
async function startBehindProxy(
  connectTo: (endpoint: string, token: string) => Awaited<ReturnType<ClientWorld["connect"]>>,
) {
  const home = await makeHome();
  let daemon = await spawnIn(home);
  const { token } = daemon;
  const portOf = ({ endpoint }: SpawnedDaemon) => Number(new URL(endpoint).port);
  const proxy = await CuttingProxy.start(portOf(daemon));
  const world: ClientWorld = {
    directory: home.directory,
    connect: async () => connectTo(proxy.url, token),
    network: {
      proxy,
      async restart() {
        await daemon.close();
        daemon = await spawnIn(home, token);
        proxy.target = portOf(daemon);
      },
    },
    async stop() {
      await proxy.close();
      await daemon.close();
      await home.remove();
    },
  };
  return world;
}

export const overHttp = () =>
  startBehindProxy((endpoint, token) => typescriptDriver(SandboxDaemon.connect({ endpoint, token, reconnect })));

export async function inThisProcess(): Promise<ClientWorld> {
  const home = await makeHome();
  const { dataDirectory, directory, env } = home;
  const daemon = await inline({ dataDirectory, env, defaultDirectory: directory });
  return {
    directory,
    connect: async () => typescriptDriver(daemon, async () => {}),
    async stop() {
      await daemon.close();
      await home.remove();
    },
  };
}

export const withPython = (kind: "sync" | "asyncio") => () =>
  startBehindProxy((endpoint, token) => {
    const settings = {
      MUSTER_ENDPOINT: endpoint,
      MUSTER_TOKEN: token,
      MUSTER_RECONNECT: JSON.stringify(reconnect),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    return new ProcessDriver(["python3", "-m", "tests.driver", kind], { ...process.env, ...settings }, python);
  });
