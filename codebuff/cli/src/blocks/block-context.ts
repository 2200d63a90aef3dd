import type { Links } from "../text/hyperlinks.ts";
import type { Theme } from "../text/theme.ts";

/** What a block needs to know of the screen it is written for. */
export interface BlockContext {
  readonly width: number;
  readonly theme: Theme;
  /** For what is still going on. */
  readonly now: number;
  /** Tool results, thoughts and children in full (Ctrl-T). */
  readonly unfolded: boolean;
  /** Undefined where the terminal is told nothing but text. */
  readonly links?: Links;
}

/** Prose wider than this is tiring to read. */
export const proseWidth = 110;
