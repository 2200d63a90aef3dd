import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ExportFormat, SdkError, SessionStore, type SessionSummary } from "@muster/codebuff-sdk";
import { parseJson } from "@muster/core";
import { CommandError, exitCodes, UsageError, wrongNames } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { formatRows } from "../text/rows.ts";

interface Place {
  cwd?: string;
}

export async function listSessions({ json, ...place }: Place & { json?: true }, io: Io): Promise<number> {
  const found = await storeFor(place, io).list();
  if (json) io.stdout.write(`${JSON.stringify(found)}\n`);
  else if (found.length === 0) io.stdout.write("No sessions in this directory yet.\n");
  else io.stdout.write(formatRows(found.map(describeSession)));
  return exitCodes.ok;
}

export async function showSession(id: string, options: Place & { json?: true }, io: Io): Promise<number> {
  const store = storeFor(options, io);
  const text = await asCommandError(store.export(id, options.json ? "json" : "markdown"));
  io.stdout.write(text);
  return exitCodes.ok;
}

export async function forkSession(
  id: string,
  options: Place & { upTo?: string; into?: string },
  io: Io,
): Promise<number> {
  if (options.upTo !== undefined && !/^[1-9]\d{0,14}$/.test(options.upTo)) {
    throw new UsageError(`--up-to takes the number of an entry, not '${options.upTo}'`);
  }
  const upTo = options.upTo === undefined ? undefined : Number(options.upTo);
  const into = options.into === undefined ? undefined : storeFor({ cwd: options.into }, io);
  io.stdout.write(`${await asCommandError(storeFor(options, io).fork(id, { upTo, into }))}\n`);
  return exitCodes.ok;
}

/** A conversation from messages that another program has; a list of them as JSON. */
export async function importSession(path: string, place: Place, io: Io): Promise<number> {
  const text = await readFile(resolve(io.cwd, path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`cannot read ${path} (${error.code})`, { exitCode: exitCodes.usage });
  });
  const id = await asCommandError(storeFor(place, io).import(parseJson(text)));
  io.stdout.write(`${id}\n`);
  return exitCodes.ok;
}

export async function exportSession(
  id: string,
  { format, output, ...place }: Place & { format: ExportFormat; output?: string },
  io: Io,
): Promise<number> {
  const text = await asCommandError(storeFor(place, io).export(id, format));
  if (output === undefined) {
    io.stdout.write(text);
    return exitCodes.ok;
  }
  const path = resolve(io.cwd, output);
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`cannot write ${path} (${error.code})`);
  });
  io.stderr.write(`Wrote ${path}\n`);
  return exitCodes.ok;
}

/** All or none: an unknown id is found out before the first is deleted. */
export async function deleteSessions(ids: readonly string[], place: Place, io: Io): Promise<number> {
  const store = storeFor(place, io);
  for (const id of ids) {
    if (!(await asCommandError(store.exists(id)))) {
      throw new CommandError(`No session ${id}`, { exitCode: exitCodes.usage });
    }
  }
  for (const id of new Set(ids)) await asCommandError(store.delete(id));
  io.stderr.write(ids.length === 1 ? `Deleted ${ids[0]}\n` : `Deleted ${new Set(ids).size} sessions\n`);
  return exitCodes.ok;
}

function storeFor({ cwd }: Place, io: Io): SessionStore {
  return new SessionStore({ cwd: resolve(io.cwd, cwd ?? "."), home: io.home });
}

function describeSession({ id, updated, mode, title }: SessionSummary): string[] {
  const when = new Date(updated).toISOString().slice(0, 16).replace("T", " ");
  return [id, when, mode ?? "", title || "(no prompt)"];
}

/** The store's complaints about ids are the caller's mistakes, not ours. */
async function asCommandError<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    throw new CommandError(error.message, { exitCode: wrongNames.has(error.code) ? exitCodes.usage : undefined });
  }
}
