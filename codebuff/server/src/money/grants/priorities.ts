import type { GrantKind } from "../../database/tables.ts";

/** Lower is spent first; within one, what expires first, then what is older. */
export const priorities: Readonly<Record<GrantKind, number>> = {
  subscription: 10,
  free: 20,
  referral_legacy: 30,
  ad: 40,
  referral: 50,
  admin: 60,
  organization: 70,
  purchase: 80,
};

export const grantKinds = Object.keys(priorities) as GrantKind[];
