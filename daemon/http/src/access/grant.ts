import { covers, Failure, type Scope } from "@muster/schema/wire";
import type { OperationRow } from "../operations/operation-row.ts";

/** What whoever asks may do. */
export interface Grant {
  readonly scope: Scope;
  /** Only these sessions; every one without them. */
  readonly sessions?: ReadonlySet<string>;
  /** Only sessions of these agents. */
  readonly agents?: ReadonlySet<string>;
  /** The one operation it is for. */
  readonly only?: string;
  /** The access token it comes from; the daemon's own token has none. */
  readonly tokenId?: string;
}

export const everything: Grant = { scope: "admin" };

export function isLimited({ sessions, agents }: Grant): boolean {
  return sessions !== undefined || agents !== undefined;
}

/** Throws where the grant is too small for the operation. */
export function checkGrant(grant: Grant, id: string, { scope, wholeDaemon }: OperationRow): void {
  if (scope === "public") return;
  if (grant.only !== undefined && grant.only !== id) {
    throw new Failure("scope_required", `This token is for ${grant.only} alone, and ${id} takes the scope ${scope}`, {
      scope,
    });
  }
  checkScope(grant, scope);
  if (wholeDaemon && isLimited(grant)) {
    throw new Failure("token_limited", `${id} concerns the whole daemon, and this token some sessions or agents`);
  }
}

export function checkScope(grant: Grant, scope: Scope): void {
  if (covers(grant.scope, scope)) return;
  throw new Failure("scope_required", `This takes a token with the scope ${scope}; this one has ${grant.scope}`, {
    scope,
  });
}
