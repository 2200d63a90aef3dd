import { knowUser } from "../admission/user.ts";
import type { KnownUser } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import type { Call } from "./answer.ts";

/** What may be asked about oneself. Clients of the original ask for some that we do not have: those are null. */
const fields: Readonly<Record<string, (user: KnownUser) => unknown>> = {
  id: (user) => user.id,
  email: (user) => user.email,
  banned: (user) => user.banned === 1,
  created_at: (user) => new Date(user.created_at).toISOString(),
  discord_id: () => null,
  referral_code: () => null,
  stripe_customer_id: () => null,
};

export async function me({ request, query, service }: Call): Promise<object> {
  const asked = (query.get("fields") ?? "id").split(",").map((name) => name.trim());
  const user = await knowUser(request.headers, service);
  const unknown = asked.filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0) {
    const names = Object.keys(fields).join(", ");
    throw new Refusal(400, `There is no field ${unknown.join(", ").slice(0, 100)}; there are ${names}`);
  }
  return Object.fromEntries(asked.map((name) => [name, fields[name]?.(user)]));
}
