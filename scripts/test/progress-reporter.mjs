/** vitest's default reporter; where there is no terminal that shows what runs, a line per file says how many are left. */
import { DefaultReporter } from "vitest/node";

/** A log that says nothing for so long looks dead. */
const patienceMs = 30_000;

export default class ProgressReporter extends DefaultReporter {
  #running = new Map();
  #total = 0;
  #done = 0;
  #timer;

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.#total = specifications.length;
    this.#done = 0;
    if (!this.isTTY) this.#tellAfterSilence();
  }

  onTestModuleStart(module) {
    this.#running.set(module.moduleId, { file: module.relativeModuleId, since: performance.now() });
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.moduleId);
    this.#done++;
    super.onTestModuleEnd(module);
    if (!this.isTTY) this.#tellAfterSilence();
  }

  onTestRunEnd(...args) {
    clearTimeout(this.#timer);
    super.onTestRunEnd(...args);
  }

  /** ` ✓  unit  daemon/schema/…` becomes `[12/376] ✓ …`. */
  getModuleLog(...args) {
    const place = `${this.#done}`.padStart(`${this.#total}`.length);
    return `[${place}/${this.#total}]${super.getModuleLog(...args)}`;
  }

  #tellAfterSilence() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const running = [...this.#running.values()].map(({ file, since }) => `${file} since ${seconds(since)}`);
      this.log(`[${this.#done}/${this.#total}] running: ${running.join(", ") || "nothing yet"}`);
      this.#tellAfterSilence();
    }, patienceMs).unref();
  }
}

function seconds(since) {
  return `${Math.round((performance.now() - since) / 1000)} s`;
}
