import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { readTrustItems, Trust } from "@muster/codebuff-sdk";
import { exitCodes, UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { printable } from "../text/printable.ts";
import { trustLines, trustTitle } from "../trust/trust-lines.ts";

interface TrustOptions {
  readonly list?: true;
  readonly remove?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly cwd?: string;
}

/** `codebuff trust`: shows what a project brings that nobody has accepted as it is, and accepts it. */
export async function trust({ list, remove, yes, json, cwd = "." }: TrustOptions, io: Io): Promise<number> {
  const root = await realpath(resolve(io.cwd, cwd)).catch(() => {
    throw new UsageError(`--cwd: there is no directory ${resolve(io.cwd, cwd)}`);
  });
  const kept = new Trust({ home: io.home, root });
  if (remove) {
    const wasThere = await kept.forget();
    io.stdout.write(wasThere ? `Nothing of ${root} is trusted any more.\n` : `Nothing of ${root} was trusted.\n`);
    return exitCodes.ok;
  }
  const items = await readTrustItems(root, io.home);
  const open = await kept.untrusted(items);
  if (list) return tell(items, open, root, { json, io });
  if (open.length === 0) {
    io.stdout.write(
      items.length === 0
        ? "This project brings no agents, servers, hooks, skills or rules of its own.\n"
        : `Everything this project brings is trusted as it is now: ${items.length}.\n`,
    );
    return exitCodes.ok;
  }
  io.stdout.write(`${trustLines(open, root).join("\n")}\n`);
  if (!yes && !(await confirm(io))) return exitCodes.runError;
  await kept.accept(open);
  io.stdout.write(`Trusted as it is now: ${items.length}. A change is asked for again.\n`);
  return exitCodes.ok;
}

type Items = Awaited<ReturnType<typeof readTrustItems>>;
type Open = Awaited<ReturnType<Trust["untrusted"]>>;

function tell(items: Items, open: Open, root: string, { json, io }: { json?: true; io: Io }): number {
  const stateOf = (item: Items[number]) =>
    open.find(({ kind, path, content }) => kind === item.kind && path === item.path && content === item.content)
      ?.change ?? "trusted";
  if (json) {
    const listed = items.map(({ kind, path, content }) => ({
      kind,
      path,
      state: stateOf({ kind, path, content }),
      content,
    }));
    io.stdout.write(`${JSON.stringify(listed)}\n`);
  } else {
    for (const item of items) {
      const title = trustTitle({ ...item, hash: "", before: undefined, change: "new" }, root);
      io.stdout.write(`${stateOf(item).padEnd(8)} ${printable(title)}\n`);
    }
    if (items.length === 0) io.stdout.write("This project brings nothing of its own.\n");
  }
  return exitCodes.ok;
}

async function confirm(io: Io): Promise<boolean> {
  if (io.stdin.isTTY !== true)
    throw new UsageError("trust: nobody can be asked here; --yes accepts what is shown above");
  const terminal = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question("Trust all of this as it is now? [y/N] ")).trim());
  } catch {
    // Ctrl-D is a no.
    return false;
  } finally {
    terminal.close();
  }
}
