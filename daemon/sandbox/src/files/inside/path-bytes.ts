import { Failure } from "@muster/schema/wire";

/** A path on its way: names of any bytes but `/` and zero. */
export type Names = readonly Buffer[];

const mostBytes = 16 * 1024;
const mostNames = 512;
const slash = 0x2f;

/** The names between the slashes; `.` and empty ones mean nothing. Throws for what is no path. */
export function splitPath(path: Buffer): Buffer[] {
  if (path.includes(0)) throw new Failure("invalid_request", "A path holds no zero byte");
  if (path.length > mostBytes) throw new Failure("invalid_request", `A path is at most ${mostBytes} bytes long`);
  const names: Buffer[] = [];
  for (let start = 0; start <= path.length; ) {
    const end = path.indexOf(slash, start);
    const name = path.subarray(start, end < 0 ? path.length : end);
    if (name.length > 0 && !isDot(name)) names.push(name);
    start = end < 0 ? path.length + 1 : end + 1;
  }
  if (names.length > mostNames) throw new Failure("invalid_request", `A path has at most ${mostNames} names`);
  return names;
}

export function isAbsoluteBytes(path: Buffer): boolean {
  return path[0] === slash;
}

function isDot(name: Buffer): boolean {
  return name.length === 1 && name[0] === 0x2e;
}

export function isDotDot(name: Buffer): boolean {
  return name.length === 2 && name[0] === 0x2e && name[1] === 0x2e;
}

/** Names put together, without a slash at either end. */
export function joinNames(names: Names): Buffer {
  return Buffer.concat(names.flatMap((name, index) => (index === 0 ? [name] : [separator, name])));
}

const separator = Buffer.from("/");

/** For people and JSON: what is no UTF-8 stands as U+FFFD. */
export function shownPath(bytes: Buffer): string {
  return bytes.toString("utf8");
}

/** `path`, and `pathBytes` where the text does not say it. */
export function pathFields(bytes: Buffer): { path: string; pathBytes?: string } {
  const path = shownPath(bytes);
  return Buffer.from(path).equals(bytes) ? { path } : { path, pathBytes: bytes.toString("base64") };
}
