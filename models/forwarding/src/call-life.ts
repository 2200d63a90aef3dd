/** Where a call is: its money held, its request sent, its answer begun, whole, or refused by the provider. */
export type Stage = "held" | "sent" | "answering" | "complete" | "refused";

/**
 * Why we ended a call ourselves: its client left and the provider had its time, this process ends, its money is spent, or whoever
 * asked may not go on.
 */
export type Stop = "given up" | "shut down" | "used up" | "shut out";

/**
 * What happens to a call. `told`: the provider has said what was used; `unreadable`: what it answered is of no use to anybody;
 * `left`: its client no longer waits.
 */
export type Happening = "sent" | "refused" | "answered" | "told" | "completed" | "unreadable" | "left" | Stop;

/** The life of one request to a provider. Pure: what happened goes in, what is owed comes out. */
export interface CallLife {
  readonly stage: Stage;
  readonly isTold: boolean;
  readonly isLeft: boolean;
  readonly stoppedBy: Stop | undefined;
}

export type Outcome = "completed" | "client gone" | "cut off" | Exclude<Stop, "given up">;

/** What closes a call: its money is given back, or it is paid for by what the provider said, or by the length of both sides. */
export type Owed = "release" | "settle with usage" | "settle by estimate";

/** Money is held and no provider has heard a word. */
export const heldCall: CallLife = { stage: "held", isTold: false, isLeft: false, stoppedBy: undefined };

const stages: Readonly<Record<Stage, Partial<Record<Happening, Stage>>>> = {
  held: { sent: "sent" },
  sent: { answered: "answering", refused: "refused" },
  answering: { completed: "complete", unreadable: "refused" },
  complete: {},
  refused: {},
};

/** The life after something happened. What cannot be any more changes nothing: news of both sides cross each other. */
export function step(life: CallLife, happening: Happening): CallLife {
  switch (happening) {
    case "told":
      return life.stage === "answering" ? { ...life, isTold: true } : life;
    case "left":
      return { ...life, isLeft: true };
    case "given up":
    case "shut down":
    case "used up":
    case "shut out":
      return life.stage === "complete" ? life : { ...life, stoppedBy: life.stoppedBy ?? happening };
    default:
      return { ...life, stage: stages[life.stage][happening] ?? life.stage };
  }
}

/** What closes the call if it ends here. Nobody knows what a provider did that we cut off; one that refused did nothing. */
export function owedOf({ stage, isTold, stoppedBy }: CallLife): Owed {
  switch (stage) {
    case "held":
    case "refused":
      return "release";
    case "sent":
      return stoppedBy === undefined ? "release" : "settle by estimate";
    case "answering":
    case "complete":
      return isTold ? "settle with usage" : "settle by estimate";
  }
}

/** How the call ended, for its record. */
export function outcomeOf({ stage, isLeft, stoppedBy }: CallLife): Outcome {
  if (stage === "complete") return "completed";
  if (stoppedBy !== undefined && stoppedBy !== "given up") return stoppedBy;
  return isLeft ? "client gone" : "cut off";
}

/** Whether each of several requests of one call is paid for: where some are whole only those, unless we stopped the others. */
export function arePaid(lives: readonly CallLife[]): boolean[] {
  const onlyWhole = lives.some(({ stage }) => stage === "complete") && !lives.some(({ stoppedBy }) => stoppedBy);
  return lives.map((life) => (onlyWhole ? life.stage === "complete" : owedOf(life) !== "release"));
}
