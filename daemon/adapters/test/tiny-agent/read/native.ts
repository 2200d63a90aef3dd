import { z } from "zod";

/** What the program says, and the one thing it is told. */
export const TinyLine = z.union([
  z.object({ hello: z.string() }),
  z.object({ begin: z.string() }),
  z.object({ text: z.string() }),
  z.object({ end: z.string() }),
  z.object({ ask: z.string(), text: z.string() }),
]);
export type TinyLine = z.infer<typeof TinyLine>;
