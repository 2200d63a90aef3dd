import { stepsText } from "@muster/codebuff-protocol";
import { findWays, loadLocalAgents } from "@muster/codebuff-sdk";
import { z } from "zod";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { formatRows } from "../text/rows.ts";

const Published = z.looseObject({
  publisherId: z.string(),
  agents: z.array(z.looseObject({ id: z.string(), version: z.string() })),
});
const Refused = z.looseObject({ error: z.unknown().optional(), message: z.string().optional() });

/** Sends agents of `.agents/` to the store; their `handleSteps` travels as text. */
export async function publish(ids: readonly string[], options: { baseUrl?: string }, io: Io): Promise<number> {
  const { baseUrl, credential } = await findWays({ baseUrl: options.baseUrl, env: io.env, home: io.home });
  if (credential === undefined) {
    throw new CommandError("Publishing needs a Codebuff account: codebuff login", { exitCode: exitCodes.credentials });
  }
  const { agents, validationErrors } = await loadLocalAgents({ validate: true });
  const wanted = ids.map((id) => {
    const agent = agents[id];
    if (agent !== undefined) return agent;
    const reason = validationErrors.find(({ agentId }) => agentId === id)?.message;
    if (reason !== undefined) throw new CommandError(`${id}: ${reason}`);
    throw new CommandError(`There is no agent ${id} in .agents/`, { exitCode: exitCodes.usage });
  });
  const data = wanted.map(({ _sourceFilePath, handleSteps, ...rest }) => ({
    ...rest,
    handleSteps: handleSteps === undefined ? undefined : stepsText(handleSteps),
  }));
  const response = await fetch(`${baseUrl}/api/agents/publish`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${credential.apiKey}` },
    body: JSON.stringify({ data, allLocalAgentIds: Object.keys(agents) }),
    signal: AbortSignal.any([io.interrupted, AbortSignal.timeout(60_000)]),
  }).catch(() => {
    throw new CommandError(`Cannot reach a Codebuff server at ${baseUrl}. Name yours with --base-url.`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const published = Published.safeParse(answer);
  if (!response.ok || !published.success) {
    const { message, error } = Refused.safeParse(answer).data ?? {};
    const reason = message ?? (typeof error === "string" ? error : `status ${response.status}`);
    throw new CommandError(`Not published: ${reason}`, {
      exitCode: response.status === 401 ? exitCodes.credentials : undefined,
    });
  }
  const { publisherId, agents: stored } = published.data;
  io.stdout.write(formatRows(stored.map(({ id, version }) => [`${publisherId}/${id}@${version}`, "published"])));
  return exitCodes.ok;
}
