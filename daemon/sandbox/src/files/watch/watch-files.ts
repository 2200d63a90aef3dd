import type { FileChange } from "@muster/schema/wire";
import { Failure } from "@muster/schema/wire";
import { type FileAnswer, type FileCall, pathOf } from "../file-call.ts";
import { openDirectoryAt } from "../inside/find-place.ts";
import { ChangeQueue } from "./change-queue.ts";
import { WatchedTree } from "./watched-tree.ts";

/** What changes below a directory from now on, until its reader leaves. */
export async function watchFiles({ reach, fields, headers }: FileCall): Promise<FileAnswer> {
  const after = numberOf(headers.lastEventId);
  const { directory } = await openDirectoryAt(reach, pathOf(fields));
  const changes = new ChangeQueue(after ?? 0);
  const tree = new WatchedTree(directory, changes, { leavesOut: fields.ignored === false });
  // Nobody knows what happened since a stream was left.
  if (after !== undefined) changes.overflow();
  try {
    await tree.begin();
  } catch (error) {
    await tree.close();
    throw error;
  }
  changes.tell("watching");
  return { kind: "changes", changes: new Changes(changes, tree) };
}

/** An iterator whose end is known also while it waits: a generator could only be left between two changes. */
class Changes implements AsyncIterableIterator<FileChange> {
  readonly #queue: ChangeQueue;
  readonly #tree: WatchedTree;
  #taken: FileChange[] = [];

  constructor(queue: ChangeQueue, tree: WatchedTree) {
    this.#queue = queue;
    this.#tree = tree;
  }

  async next(): Promise<IteratorResult<FileChange>> {
    if (this.#taken.length === 0) this.#taken = (await this.#queue.take()) ?? [];
    const value = this.#taken.shift();
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  async return(): Promise<IteratorResult<FileChange>> {
    this.#queue.end();
    await this.#tree.close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function numberOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === "") return undefined;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new Failure("invalid_request", `Last-Event-ID is a number, not ${lastEventId}`);
}
