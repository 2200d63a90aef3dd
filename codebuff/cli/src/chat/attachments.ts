import type { ImageAttachment } from "../run/prepare-user-message.ts";
import type { TextAttachment } from "../transcript/shown-prompt.ts";

/** A paste longer than this would bury the editor. */
const longPaste = 2000;

/** What goes with the next prompt. */
export class Attachments {
  #texts: TextAttachment[] = [];
  #images: ImageAttachment[] = [];
  #pastes = 0;

  get names(): readonly string[] {
    return [...this.#texts, ...this.#images].map(({ name }) => name);
  }

  /** What the pictures have together, as files. */
  get imageBytes(): number {
    return this.#images.reduce((sum, { image }) => sum + (image.length * 3) / 4, 0);
  }

  /** False for a paste that the editor can take. */
  takePaste(pasted: string): boolean {
    if (pasted.length <= longPaste) return false;
    // tmux and others end pasted lines with a carriage return.
    const text = pasted.replaceAll(/\r\n?/g, "\n");
    this.#pastes++;
    const lines = text.replace(/\n$/, "").split("\n").length;
    this.#texts.push({ name: `pasted text ${this.#pastes} (${lines} ${lines === 1 ? "line" : "lines"})`, text });
    return true;
  }

  addImage(image: ImageAttachment): void {
    this.#images.push(image);
  }

  removeLast(): boolean {
    return (this.#images.pop() ?? this.#texts.pop()) !== undefined;
  }

  /** All of them; the next prompt begins without. */
  take(): { texts: readonly TextAttachment[]; images: readonly ImageAttachment[] } {
    const taken = { texts: this.#texts, images: this.#images };
    this.#texts = [];
    this.#images = [];
    return taken;
  }

  restore({ texts, images }: { texts: readonly TextAttachment[]; images: readonly ImageAttachment[] }): void {
    this.#texts.push(...texts);
    this.#images.push(...images);
  }
}
