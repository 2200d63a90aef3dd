import path from "node:path";
import { secrecyOf } from "../files/access/secrets.ts";
import { IgnoreRules } from "./ignore-rules.ts";

export interface FileChange {
  /** Relative to the root with forward slashes. */
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
}

export interface WatchOptions {
  readonly root: string;
  /** What happened since the last time; a file that came and went is not told. */
  readonly onChange: (changes: readonly FileChange[]) => void;
  /** A part of the project that cannot be watched; the rest is. */
  readonly onError: (error: Error) => void;
  /** Ends the watch as `close()` does. */
  readonly signal?: AbortSignal;
}

export interface ProjectWatch {
  /** Nothing is told any more. */
  close(): Promise<void>;
}

/** Changes that come together are told together. */
const togetherMs = 50;
const kinds = { add: "added", change: "changed", unlink: "removed" } as const;

/**
 * Watches the files a listing of the project would show. Resolves when every change from now on will be seen. A directory
 * that stops being ignored is seen by the next watch.
 */
export async function watchProject({ root, onChange, onError, signal }: WatchOptions): Promise<ProjectWatch> {
  const { watch } = await import("chokidar");
  signal?.throwIfAborted();
  let rules = new IgnoreRules(root);
  const nameOf = (absolute: string) => path.relative(root, absolute).split(path.sep).join("/");
  const waiting = new Map<string, FileChange["kind"]>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    // Read now: an ignore file that is being written is told once, while it is still empty.
    rules = new IgnoreRules(root);
    const changes = [...waiting]
      .filter(([name]) => !isHidden(rules, name, false))
      .map(([name, kind]) => ({ path: name, kind }));
    waiting.clear();
    if (changes.length > 0) onChange(changes);
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (absolute, stats) => isHidden(rules, nameOf(absolute), stats?.isDirectory() === true),
  });
  watcher.on("all", (event, absolute) => {
    if (event !== "add" && event !== "change" && event !== "unlink") return;
    note(waiting, nameOf(absolute), kinds[event]);
    timer ??= setTimeout(tell, togetherMs);
  });
  watcher.on("error", (error) => onError(error instanceof Error ? error : new Error(String(error))));
  const close = async () => {
    signal?.removeEventListener("abort", close);
    clearTimeout(timer);
    waiting.clear();
    await watcher.close();
  };
  signal?.addEventListener("abort", close, { once: true });
  await new Promise<void>((resolve, reject) => {
    watcher.once("ready", () => resolve());
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return { close };
}

function isHidden(rules: IgnoreRules, name: string, isDirectory: boolean): boolean {
  if (name === "") return false;
  return secrecyOf(name) === "secret" || rules.hides(name, isDirectory);
}

/** What a file's change comes to with what is waiting to be told of it. */
function note(waiting: Map<string, FileChange["kind"]>, name: string, kind: FileChange["kind"]): void {
  const before = waiting.get(name);
  if (before === "added" && kind === "removed") waiting.delete(name);
  else if (before === "added") return;
  else waiting.set(name, before === "removed" && kind === "added" ? "changed" : kind);
}
