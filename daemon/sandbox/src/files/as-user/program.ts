import type { CommitOrder } from "../commit-order.ts";
import type { Bytes, FileAnswer } from "../file-call.ts";
import { runFileCall } from "../run-file-call.ts";
import type { FromProgram, ToProgram } from "./messages.ts";

/** How long what was begun may take to be removed. */
const stopMs = 5_000;

/** Does one call of files as the user it was started as: the body comes on standard input, bytes go to standard output. */
function main(): void {
  let mayCommit: () => void = () => {};
  const order: CommitOrder = {
    async alone(path, work) {
      const allowed = new Promise<void>((resolve) => {
        mayCommit = resolve;
      });
      await tell({ wantsToCommit: path });
      await allowed;
      return await work().finally(() => tell({ committed: true }));
    },
  };
  // The daemon has gone, or its client: nothing is put in place, and what was begun is removed.
  const stop = () => {
    process.stdin.destroy(new Error("the body broke off"));
    setTimeout(() => process.exit(1), stopMs).unref();
  };
  process.on("disconnect", stop);
  process.on("message", (message: ToProgram) => {
    if ("mayCommit" in message) mayCommit();
    else if ("stop" in message) stop();
    else void answer(message, order);
  });
}

async function answer({ call }: Extract<ToProgram, { call: unknown }>, order: CommitOrder): Promise<void> {
  try {
    const given = await runFileCall(call, process.stdin, order);
    await tell({ head: headOf(given) });
    if (given.kind === "bytes") await send(given.bytes);
    if (given.kind === "changes") {
      for await (const change of given.changes) await write(Buffer.from(`${JSON.stringify(change)}\n`));
    }
    process.exit(0);
  } catch (error) {
    await tell(problemOf(error));
    process.exit(1);
  }
}

function headOf(given: FileAnswer) {
  if (given.kind === "value") return given;
  return given.kind === "changes"
    ? { kind: given.kind }
    : { kind: given.kind, status: given.status, headers: given.headers };
}

function problemOf(error: unknown): FromProgram {
  if (!(error instanceof Error) || error.name !== "Failure") return { error: String(error) };
  const { code, message, status, fields } = error as unknown as Extract<FromProgram, { failure: unknown }>["failure"];
  return { failure: { code, message, status, fields } };
}

async function send(bytes: Bytes): Promise<void> {
  for await (const piece of bytes) await write(piece);
}

function write(piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

function tell(message: FromProgram): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}

main();
