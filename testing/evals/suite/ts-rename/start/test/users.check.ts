import { getUser } from "../src/users.ts";

if (getUser(1)?.name !== "Ada") throw new Error("getUser(1)");
