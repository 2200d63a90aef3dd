/** What an access token lets its holder do; each includes those before it. */
export const scopes = ["read", "answer", "work", "admin"] as const;
export type Scope = (typeof scopes)[number];

export function covers(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}
