import { SerialQueues } from "@muster/node";

/** Lets one after the other put a file in place: of two that have seen the same ETag, the second is to find another. */
export interface CommitOrder {
  alone<T>(path: string, work: () => Promise<T>): Promise<T>;
}

/** The order of all calls of a daemon. */
export function commitOrder(): CommitOrder {
  const queues = new SerialQueues();
  return { alone: (path, work) => queues.run(path, work) };
}
