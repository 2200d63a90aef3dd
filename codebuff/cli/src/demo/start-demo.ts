import type { Io } from "../io.ts";
import type { RunOptions } from "../run-options.ts";
import { demoScript } from "./demo-script.ts";

export interface Demo {
  readonly options: RunOptions;
  readonly io: Io;
  close(): Promise<void>;
}

/** The scripted model on this machine, and a run that talks to it and to nothing else. */
export async function startDemo(options: RunOptions, io: Io): Promise<Demo> {
  const { startScriptedLlm } = await import("@muster/scripted-llm");
  const llm = await startScriptedLlm({ script: demoScript });
  const env = { ...io.env, ANTHROPIC_API_KEY: "demo", ANTHROPIC_BASE_URL: llm.url };
  return {
    options: { ...options, provider: "anthropic", permissions: options.permissions ?? "default" },
    io: { ...io, env },
    close: () => llm.close(),
  };
}
