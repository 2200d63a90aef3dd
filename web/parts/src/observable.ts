import { useEffect, useReducer } from "preact/hooks";

/** Something that changes; whoever shows it is told once per frame, however often it changed. */
export class Observable {
  readonly #listeners = new Set<() => void>();
  #isTold = true;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    const tell = () => {
      this.#isTold = true;
      for (const listener of this.#listeners) listener();
    };
    // A page in the background has no frames.
    if (document.hidden) setTimeout(tell, 100);
    else requestAnimationFrame(tell);
  }
}

/** Draws the component again when one of these has changed. */
export function useObservable(...observed: (Observable | undefined)[]): void {
  const [, draw] = useReducer((version: number) => version + 1, 0);
  useEffect(() => {
    const offs = observed.map((one) => one?.subscribe(() => draw(undefined)));
    // What has changed between drawing and this moment.
    draw(undefined);
    return () => {
      for (const off of offs) off?.();
    };
  }, observed);
}
