import { CodebuffClient } from "@muster/codebuff-sdk";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import type { RunOptions } from "../run-options.ts";
import { formatRows } from "../text/rows.ts";

/** What can be used now, and why the rest cannot. */
export async function listModels({ baseUrl, provider, cwd, format }: RunOptions, io: Io): Promise<number> {
  const client = new CodebuffClient({ baseUrl, provider, cwd, home: io.home, processEnv: { ...io.env } });
  const models = await client.listModels();
  await client.close();
  if (format !== "text") {
    io.stdout.write(`${JSON.stringify(models)}\n`);
    return exitCodes.ok;
  }
  const rows = models
    .toSorted((one, other) => Number(other.usable) - Number(one.usable))
    .map(({ id, provider: by, reason, price }) => {
      const cost = price === undefined ? "no price" : `$${price.input} in, $${price.output} out per million tokens`;
      return [id, by, reason ?? cost];
    });
  io.stdout.write(formatRows(rows));
  if (models.some(({ usable }) => usable)) return exitCodes.ok;
  io.stderr.write("No model can be used yet: codebuff doctor tells what to do.\n");
  return exitCodes.ok;
}
