import { z } from "zod";

/** Who changed a path, and how. Without a session it was the person, who is whoever is none of the sessions. */
export const By = z.object({
  session: z.string().optional(),
  turn: z.int().nonnegative().optional(),
  call: z.string().optional(),
  how: z.enum(["edit", "command", "hook", "rewind", "person"]),
});
export type By = z.infer<typeof By>;

/** A turn of a session; turn 0 ends where turn 1 begins. */
export interface Place {
  session: string;
  turn: number;
}

export const person: By = { how: "person" };

/** Whose changes a move takes back. */
export type IsOwn = (by: By) => boolean;

/** Whether nobody else can have made the change. */
export function isOnly(by: readonly By[], isOwn: IsOwn): boolean {
  return by.length > 0 && by.every(isOwn);
}

export function mergeAuthors(lists: readonly (readonly By[])[]): By[] {
  const found = new Map<string, By>();
  for (const by of lists.flat()) found.set(JSON.stringify([by.session, by.turn, by.call, by.how]), by);
  return [...found.values()];
}
