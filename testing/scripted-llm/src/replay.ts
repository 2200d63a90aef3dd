import { stat } from "node:fs/promises";
import { loadExchangeFolder } from "./record/exchange-folder.ts";
import { loadScript } from "./script/load-script.ts";
import { ScriptError } from "./script/script-error.ts";
import { type ScriptedLlm, type ScriptedLlmOptions, startScriptedLlm } from "./server.ts";

export interface ReplayOptions extends Omit<ScriptedLlmOptions, "script"> {
  /** What `record` wrote, or a folder of exchanges. */
  readonly file: string;
}

/** Serves a recording again, byte for byte. Refuses a file or a folder in which nothing was recorded. */
export async function startReplay({ file, ...options }: ReplayOptions): Promise<ScriptedLlm> {
  const isFolder = (await stat(file).catch(() => undefined))?.isDirectory();
  if (isFolder) return startScriptedLlm({ ...options, script: await loadExchangeFolder(file) });
  const script = await loadScript(file);
  const turns = script.conversations.flatMap((conversation) => conversation.turns);
  if (!turns.some((turn) => typeof turn === "object" && turn.recorded !== undefined)) {
    throw new ScriptError(`${file}: holds no recorded turn; use serve for a written script`);
  }
  return startScriptedLlm({ ...options, script });
}
