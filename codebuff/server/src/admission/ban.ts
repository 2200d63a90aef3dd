import type { User } from "../people/users.ts";
import { Refusal } from "../refusal.ts";

/** G3: the account is not suspended. */
export function refuseBanned(user: User): void {
  if (user.banned !== 0) throw suspended();
}

export function suspended(): Refusal {
  return new Refusal(403, "This account is suspended. Write to support if you think that is a mistake.", {
    code: "account_suspended",
  });
}
