import { resolve } from "node:path";
import { CodebuffClient, loadLocalAgents } from "@muster/codebuff-sdk";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { oneLine } from "../text/printable.ts";
import { formatRows } from "../text/rows.ts";

/** Shipped agents and those of the project that have been accepted. */
export async function listAgents({ json, cwd }: { json?: true; cwd?: string }, io: Io): Promise<number> {
  const root = resolve(io.cwd, cwd ?? ".");
  const warn = (message: string) => void io.stderr.write(`${message}\n`);
  const client = new CodebuffClient({ cwd: root, home: io.home, processEnv: { ...io.env } });
  const agents = await client.listAgents({ warn });
  await client.close();
  if (json) io.stdout.write(`${JSON.stringify(agents)}\n`);
  else
    io.stdout.write(
      formatRows(
        agents.map(({ id, source, model, description }) => [id, source, model, oneLine(description ?? "", 80)]),
      ),
    );
  return exitCodes.ok;
}

/** Says what is wrong with which file; exit code 1 when anything is. */
export async function validateLocalAgents(io: Io): Promise<number> {
  const { agents, validationErrors } = await loadLocalAgents({ validate: true });
  const valid = Object.values(agents).map(({ id, _sourceFilePath }) => [id, "ok", _sourceFilePath]);
  if (valid.length > 0) io.stdout.write(formatRows(valid));
  for (const { agentId, filePath, message } of validationErrors) {
    io.stdout.write(`${[agentId, filePath].filter((part) => part).join(" ")}: ${message}\n`);
  }
  if (valid.length + validationErrors.length === 0) io.stdout.write("There are no agents in .agents/\n");
  return validationErrors.length === 0 ? exitCodes.ok : exitCodes.runError;
}
