import { forgetUser, getUser } from "./users.ts";

export const routes = {
  "/getUser": (id: number) => getUser(id),
  "/forgetUser": (id: number) => forgetUser(id),
};
