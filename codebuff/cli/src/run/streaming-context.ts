import { Steering } from "@muster/codebuff-sdk";
import { Stopper } from "./stopper.ts";

/** The second part of a prompt's way (B-2): what stops the run, what steers it, and what counts its time. */
export class StreamingContext {
  readonly stopper = new Stopper();
  readonly steering: Steering;
  readonly startedAt = Date.now();
  /** When the run last said something. */
  lastAt = this.startedAt;
  readonly #timer: NodeJS.Timeout;

  /** `onTick` is called once a second: the elapsed time on the screen. */
  constructor({ onJoined, onTick }: { onJoined: (messageId: string) => void; onTick: () => void }) {
    this.steering = new Steering({ onJoined });
    this.#timer = setInterval(onTick, 1000);
  }

  close(): void {
    clearInterval(this.#timer);
    this.stopper.close();
  }
}
