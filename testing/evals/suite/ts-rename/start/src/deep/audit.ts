import * as users from "../users.ts";

export const audit = (id: number) => ({ known: users.getUser(id) !== undefined });
