import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, chown, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { codeOf, isMissing } from "./project.ts";

const BOM = "\uFEFF";
/** Larger files are data; an edit would hold several copies of them in memory. */
const largestEdited = 32 * 1024 * 1024;

/** A text on disk with what must survive an edit. `text` is without the byte order mark. */
export interface TextFile {
  readonly text: string;
  readonly bom: boolean;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Says whether somebody else changed the file since it was read. */
  readonly version: string;
}

/** Undefined when there is no such file; throws a plain Error for anything that is not a text. */
export async function readTextFile(real: string): Promise<TextFile | undefined> {
  let info: Awaited<ReturnType<typeof versionedStat>>;
  try {
    info = await versionedStat(real);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Error(`The file cannot be read (${codeOf(error)})`);
  }
  if (info.stats.isDirectory()) throw new Error("The path is a directory");
  if (!info.stats.isFile()) throw new Error("The path is not a regular file");
  if (info.stats.size > largestEdited) throw new Error("The file is larger than 32 MB and cannot be edited");
  const decoded = decode(await readFile(real));
  if (decoded === undefined) throw new Error("The file is not UTF-8 text");
  const { mode, uid, gid } = info.stats;
  return {
    ...decoded,
    mode: Number(mode) & 0o7777,
    owner: { uid: Number(uid), gid: Number(gid) },
    version: info.version,
  };
}

/** Undefined when the bytes are no UTF-8 text; a NUL byte counts as binary. */
export function decode(bytes: Buffer): { text: string; bom: boolean } | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? { text: text.slice(1), bom: true } : { text, bom: false };
  } catch {
    // Not UTF-8: no text.
    return undefined;
  }
}

/**
 * Replaces or creates the file in one step: readers see the old content or the new one, never a part.
 * With `before` the mode, owner and byte order mark stay, and a change by somebody else meanwhile is an error.
 */
export async function writeTextFile(real: string, text: string, before: TextFile | undefined): Promise<void> {
  const directory = path.dirname(real);
  await mkdir(directory, { recursive: true });
  if (before !== undefined) await access(real, constants.W_OK);
  const temporary = path.join(directory, `.${path.basename(real).slice(0, 80)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeNew(temporary, (before?.bom && !text.startsWith(BOM) ? BOM : "") + text);
    if (before !== undefined) await keepAttributes(temporary, before);
    await assertUnchanged(real, before);
    await rename(temporary, real);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function writeNew(target: string, text: string): Promise<void> {
  const handle = await open(target, "wx");
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

async function keepAttributes(target: string, before: TextFile): Promise<void> {
  const own = await stat(target);
  // Only root may give a file away; for everybody else the owner is already right or cannot be kept.
  if (own.uid !== before.owner.uid || own.gid !== before.owner.gid) {
    await chown(target, before.owner.uid, before.owner.gid).catch(() => undefined);
  }
  await chmod(target, before.mode);
}

async function assertUnchanged(real: string, before: TextFile | undefined): Promise<void> {
  const now = await versionedStat(real).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (now?.version !== before?.version)
    throw new Error("The file was changed by somebody else meanwhile; read it again");
}

async function versionedStat(real: string) {
  const stats = await stat(real, { bigint: true });
  return { stats, version: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` };
}
