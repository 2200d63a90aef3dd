import type { Platform } from "./platform.ts";

/** Where an agent may be taken from; `file` is a program of this machine. */
export type ChosenSource = { kind: "vendor" } | { kind: "npm" } | { kind: "file"; path: string };

/** What the operator decided about installing. */
export interface InstallSettings {
  /** Agent → its only sources, in order. An agent that is not here has those of its release, after PATH. */
  readonly sources?: Readonly<Record<string, readonly ChosenSource[]>>;
  /** Vendors' URLs are asked here instead: `https://host/path` becomes `<mirror>/host/path`. */
  readonly mirror?: string;
  /** Another machine than this one, for tests and for filling a mirror. */
  readonly platform?: Platform;
  /** Ends downloads when the daemon stops. */
  readonly signal?: AbortSignal;
}
