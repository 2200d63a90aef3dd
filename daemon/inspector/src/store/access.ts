import { createClient } from "@muster/client";

/** Where the key is kept. Storage belongs to one port; a cookie would be sent to every other port of this machine. */
const place = "muster.key";

export function keptKey(): string | undefined {
  return localStorage.getItem(place) ?? undefined;
}

/** This one, and not a newer one that another tab was let in with. */
export function forgetKey(key: string | undefined): void {
  if (keptKey() === key) localStorage.removeItem(place);
}

/** Takes the ticket out of the address and makes a key of it, once. Rejects when the ticket is no use. */
export async function enterWithTicket(): Promise<void> {
  const [, ticket] = /^#ticket=([\w-]+)$/.exec(location.hash) ?? [];
  if (ticket === undefined) return;
  history.replaceState(null, "", "#/");
  await redeem(ticket);
}

/** For a person who has the token at hand and no link: the token is not kept, a key is. */
export async function enterWithToken(token: string): Promise<void> {
  const client = createClient({ endpoint: location.origin, token });
  const { ticket } = await client.tickets.create({ use: "page" });
  await redeem(ticket);
}

async function redeem(ticket: string): Promise<void> {
  const { key } = await createClient({ endpoint: location.origin }).tickets.redeem({ ticket });
  localStorage.setItem(place, key);
}
