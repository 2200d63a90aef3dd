import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "@muster/core";
import { isInside } from "@muster/node";

/** The directory the agent works in. `root` is its real path: every check compares real paths. */
export interface Project {
  readonly root: string;
  /** The root as the user named it; paths the model writes may start with it. */
  readonly named: string;
}

export interface Location {
  /** Relative to the root with forward slashes when inside, else absolute. "." is the root. */
  readonly path: string;
  /** Where the name itself lies, its last link not followed. */
  readonly named: string;
  /** Where reading and writing end up, all links followed. */
  readonly real: string;
  readonly inside: boolean;
}

export async function openProject(directory: string): Promise<Project> {
  const named = path.resolve(directory);
  return { root: await realpath(named), named };
}

/** Follows links, also through names that do not exist yet. Throws a plain Error when the path can have no meaning. */
export async function locate(project: Project, given: string): Promise<Location> {
  if (given.includes("\0")) throw new Error("The path contains a NUL character");
  const absolute = path.isAbsolute(given) ? rebase(project, path.normalize(given)) : path.resolve(project.root, given);
  const parent = await follow(path.dirname(absolute), 0);
  const named = path.dirname(absolute) === absolute ? absolute : path.join(parent, path.basename(absolute));
  const real = await follow(absolute, 0);
  const inside = isInside(project.root, real);
  return { path: inside ? nameIn(project.root, absolute, real) : real, named, real, inside };
}

function rebase(project: Project, absolute: string): string {
  return isInside(project.named, absolute) ? path.join(project.root, path.relative(project.named, absolute)) : absolute;
}

function nameIn(root: string, absolute: string, real: string): string {
  const relative = path.relative(root, isInside(root, absolute) ? absolute : real);
  return relative === "" ? "." : relative.split(path.sep).join("/");
}

/** A link whose target does not exist is followed too: writing through it would create that target. */
async function follow(absolute: string, hops: number): Promise<string> {
  if (hops > 40) throw new Error("Too many symbolic links");
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw new Error(`The path cannot be resolved (${codeOf(error)})`);
  }
  const parent = path.dirname(absolute);
  if (parent === absolute) return absolute;
  const here = path.join(await follow(parent, hops + 1), path.basename(absolute));
  const target = await linkTarget(here);
  return target === undefined ? here : follow(path.resolve(path.dirname(here), target), hops + 1);
}

async function linkTarget(absolute: string): Promise<string | undefined> {
  try {
    return (await lstat(absolute)).isSymbolicLink() ? await readlink(absolute) : undefined;
  } catch {
    // What is not there yet is no link.
    return undefined;
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return messageOf(error);
}
