import { homedir } from "node:os";
import path from "node:path";
import { isInside } from "@muster/node";
import { type Location, locate, type Project } from "../../files/access/project.ts";
import { secrecyOf } from "../../files/access/secrets.ts";
import type { ShellWord } from "../bash/shell-word.ts";
import { matchFiles } from "./glob-matches.ts";

export interface CommandPlace {
  readonly project: Project;
  /** Absolute. */
  readonly cwd: string;
  readonly home?: string;
}

/** Words of a command as places, seen from the directory the command line has moved to. */
export class Paths {
  readonly project: Project;
  readonly #home: string;
  /** Undefined when the directory is only known to the shell. */
  #cwd: string | undefined;

  constructor(place: CommandPlace) {
    this.project = place.project;
    this.#home = place.home ?? homedir();
    this.#cwd = place.cwd;
  }

  enter(word: ShellWord | undefined): void {
    const target = word === undefined ? this.#home : this.#expand(word.text);
    this.#cwd = target === undefined || this.#cwd === undefined ? undefined : path.resolve(this.#cwd, target);
  }

  /** Where a word leads when it is taken as a path; undefined when only the shell knows. */
  async at(word: ShellWord): Promise<Location | undefined> {
    const text = this.#expand(word.text);
    if (text === undefined || (this.#cwd === undefined && !path.isAbsolute(text))) return undefined;
    return locate(this.project, path.resolve(this.#cwd ?? "/", text)).catch(() => undefined);
  }

  /** The same for words that look like a path that matters: one that leaves the directory, or names a secret. */
  async named(word: ShellWord): Promise<Location | undefined> {
    const value = /^--?[\w-]+=(.*)$/s.exec(word.text)?.[1] ?? /^[\w]+=(\/.*)$/s.exec(word.text)?.[1] ?? word.text;
    const text = this.#expand(value);
    if (text === undefined || text.startsWith("-") || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
    const leaves =
      path.isAbsolute(text) ||
      /(^|\/)\.\.(\/|$)/.test(text) ||
      this.#cwd === undefined ||
      !isInside(this.project.root, this.#cwd);
    if (!leaves && secrecyOf(text) !== "secret" && !text.includes("/")) return undefined;
    const found = await this.at({ text, sure: true });
    return found === undefined || isHarmlessDevice(found.real) ? undefined : found;
  }

  /** A secret file that a pattern such as `.e*` stands for, as a path from the project. */
  async secretMatch(word: ShellWord): Promise<string | undefined> {
    const text = word.glob === true ? this.#expand(word.text) : undefined;
    if (text === undefined || this.#cwd === undefined) return undefined;
    const found = await matchFiles(path.resolve(this.#cwd, "."), text);
    const secret = found.find((one) => secrecyOf(one) === "secret");
    return secret === undefined ? undefined : path.relative(this.project.root, secret);
  }

  /** The project itself, or a directory it lies in. */
  holdsProject(location: Location): boolean {
    return isInside(location.real, this.project.root);
  }

  #expand(text: string): string | undefined {
    const home = text.replace(/^~(?=\/|$)/, this.#home).replaceAll(/\$(?:HOME\b|\{HOME\})/g, this.#home);
    const expanded = home.replaceAll(/\$(?:PWD\b|\{PWD\})/g, this.#cwd ?? "$PWD");
    return /[$`]|^~/.test(expanded) ? undefined : expanded;
  }
}

export function isHarmlessDevice(real: string): boolean {
  return (
    /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|random|urandom|fd\/\d+)$/.test(real) ||
    real.startsWith("/proc/self/fd/")
  );
}
