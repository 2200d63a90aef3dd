import { z } from "zod";

/** Where a turn is read, and how far it was told; all that a later process needs. */
export const PlaceState = z.object({
  /** The last event that was told. */
  sequence: z.int().nonnegative(),
  /** Of a turn that is not over: the message that it answers, and the event before that message. */
  turn: z.object({ messageId: z.string(), after: z.int().nonnegative() }).optional(),
});
export type PlaceState = z.infer<typeof PlaceState>;
export type TurnPlace = NonNullable<PlaceState["turn"]>;
