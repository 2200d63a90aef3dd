import type { Cause, TurnEnded } from "./generated/types.ts";

/** The turn of a prompt did not complete: it was interrupted or failed, or the message never got one. */
export class TurnFailed extends Error {
  override readonly name = "TurnFailed";
  /** How the turn ended, or what became of the message. */
  readonly status: "interrupted" | "failed" | "uncertain" | "cancelled";
  /** Why; docs/problems.md lists the causes. */
  readonly code: Cause | undefined;
  /** The data of `turn.ended`; absent when the message was cancelled or failed before it had a turn. */
  readonly ended: TurnEnded | undefined;

  constructor(status: TurnFailed["status"], ended?: TurnEnded) {
    const reason = ended?.message ?? ended?.cause;
    super(`The turn was not completed: ${status}${reason === undefined ? "" : ` (${reason})`}`);
    this.status = status;
    this.code = ended?.cause;
    this.ended = ended;
  }
}
