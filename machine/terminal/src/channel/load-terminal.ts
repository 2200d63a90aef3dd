import { bunTerminal } from "./bun-channel.ts";
import type { OpenChannel } from "./channel.ts";
import { loadPty } from "./pty-channel.ts";

/** The pseudo-terminals of this runtime: Bun's own, or node-pty; null where there are none. */
export function loadTerminal(): Promise<OpenChannel | null> {
  return "Bun" in globalThis ? Promise.resolve(bunTerminal()) : loadPty();
}
