import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, parseJson } from "@muster/core";
import { z } from "zod";
import { targetOf } from "../protocols/routes.ts";
import { readRequest } from "../request/read-request.ts";
import { checkScript } from "../script/load-script.ts";
import { RawReply, type Script } from "../script/script.ts";
import { ScriptError } from "../script/script-error.ts";
import { Recording } from "./recording.ts";

/** A request and its reply as one file: what the gateway of sandbox-daemon writes for a session that is recorded. */
const Exchange = z.object({
  format: z.literal(1),
  method: z.string().min(1),
  path: z.string().startsWith("/"),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  reply: RawReply,
});

/** Makes a script of a folder of exchanges, in the order of their names. Throws ScriptError that names the file. */
export async function loadExchangeFolder(folder: string): Promise<Script> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new ScriptError(`${folder}: holds no recorded exchange (*.json)`);
  const recording = new Recording(Number.POSITIVE_INFINITY);
  for (const name of names) add(recording, await readExchange(join(folder, name)));
  return checkScript(recording.toScript(), folder);
}

async function readExchange(file: string): Promise<z.infer<typeof Exchange>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new ScriptError(`${file}: is no recorded exchange: ${messageOf(error)}`);
  }
  const checked = Exchange.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new ScriptError(`${file}: is no recorded exchange: ${issue?.path.join(".") || "it"}: ${issue?.message}`);
}

function add(recording: Recording, { method, path, headers, body, encoding, reply }: z.infer<typeof Exchange>): void {
  const target = targetOf(method, path, { conversations: [] });
  if (target.kind !== "model") return recording.addRoute(method, path.split("?")[0] ?? "/", reply);
  const bodyText = encoding === "base64" ? Buffer.from(body, "base64").toString("latin1") : body;
  recording.begin(readRequest({ protocol: target.protocol, path, headers, bodyText, body: parseJson(bodyText) }))(
    reply,
  );
}
