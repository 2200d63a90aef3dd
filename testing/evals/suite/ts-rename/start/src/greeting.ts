import { getUser as lookUp } from "./users.ts";

/** Calls getUser once for each greeting. */
export const greet = (id: number) => `Hello ${lookUp(id)?.name ?? "stranger"}`;
