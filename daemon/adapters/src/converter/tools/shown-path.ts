import { isAbsolute, normalize, relative, resolve } from "node:path/posix";

/**
 * A file as somebody who works in the session's directory names it, for every agent: relative to it where it lies inside,
 * whole where it does not. By name only: a converter touches no disk, so a link that leads out of it counts as inside.
 */
export function shownPath(path: string, directory: string | undefined): string {
  if (directory === undefined || !isAbsolute(directory)) return withoutSlash(normalize(path));
  const whole = resolve(directory, path);
  return whole === resolve(directory) ? "." : isInside(whole, directory) ? relative(directory, whole) : whole;
}

/** Whether a path, taken from the directory if it is relative, lies below it. */
export function isInside(path: string, directory: string): boolean {
  if (!isAbsolute(directory)) return false;
  const way = relative(directory, resolve(directory, path));
  return way !== "" && way !== ".." && !way.startsWith("../");
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
