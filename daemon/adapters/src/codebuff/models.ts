import type { Model } from "@muster/schema";
import { z } from "zod";
import { type AgentHost, agentFolder } from "../host.ts";
import { sessionProgram } from "../install/session-program.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { programOutput } from "../process/program-output.ts";
import { variants } from "./options.ts";
import { codebuffRelease } from "./release.ts";
import { accessOf } from "./run/environment.ts";

const Listed = z.array(
  z.object({
    id: z.string(),
    provider: z.string(),
    usable: z.boolean(),
    contextWindow: z.int().positive().nullish(),
  }),
);

/** The models that can be used with the keys and logins of this machine; without any, all that Codebuff knows. */
export async function listModels(host: AgentHost): Promise<Model[]> {
  const { path } = await sessionProgram(host, codebuffRelease, {});
  const folder = await agentFolder(host, "codebuff");
  // Which models can be used depends on which keys there are, not on what they are.
  const { env: keys, models: held = [] } = accessOf(host, { sessionId: "models", agentOptions: {} });
  const env = childEnvironment(host.env, { HOME: host.user?.home ?? host.home, ...keys }, "models");
  const text = await programOutput(path, ["--list-models", "--json"], {
    cwd: folder,
    env,
    uid: host.user?.uid,
    gid: host.user?.gid,
  }).finally(() => {
    for (const access of held) access.release();
  });
  const listed = Listed.parse(JSON.parse(text));
  const usable = listed.filter((model) => model.usable);
  const byId = new Map((usable.length > 0 ? usable : listed).map((model) => [model.id, model]));
  return [...byId.values()].map(({ id, provider, contextWindow }) => ({
    id,
    provider,
    variants: [...variants],
    contextWindow: contextWindow ?? undefined,
  }));
}
