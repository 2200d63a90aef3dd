import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isRecord, parseJson } from "@muster/core";
import { readLines } from "@muster/node";
import { Failure, type FileChange } from "@muster/schema/wire";
import type { CommitOrder } from "../commit-order.ts";
import type { Bytes, FileAnswer, FileCall } from "../file-call.ts";
import type { AnswerHead, FromProgram, ToProgram } from "./messages.ts";

/** The program of `as-user`, and who it runs as. */
export interface UserProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly uid: number;
  readonly gid: number;
}

const killMs = 10_000;

/** Files with the rights of another user: each call in a process of its own that the system gives no more to. */
export class FilesOfUser {
  readonly #program: UserProgram;
  readonly #order: CommitOrder;

  constructor(program: UserProgram, order: CommitOrder) {
    this.#program = program;
    this.#order = order;
  }

  async run(call: FileCall, body: Bytes): Promise<FileAnswer> {
    const { command, args, uid, gid } = this.#program;
    const child = spawn(command, args, {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "" },
      uid,
      gid,
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    const { stdin, stdout } = child as ChildProcess & { stdin: Writable; stdout: Readable };
    stdin.on("error", () => {}); // It has ended, and tells why itself.
    try {
      const head = this.#headOf(child);
      child.send({ call } satisfies ToProgram, () => {});
      const feeding = feed(stdin, body, child);
      const given = await Promise.race([head, feeding.then(() => head)]);
      if (given.kind === "value") return given;
      if (given.kind === "bytes") return { ...given, bytes: bytesFrom(child, stdout) };
      return { kind: "changes", changes: changesFrom(child, stdout) };
    } catch (error) {
      stop(child);
      throw error;
    }
  }

  /** What it answers, once it has been let put in place what it wanted to. */
  #headOf(child: ChildProcess): Promise<AnswerHead> {
    return new Promise((resolve, reject) => {
      let committed: (() => void) | undefined;
      child.on("message", (message: FromProgram) => {
        if ("head" in message) resolve(message.head);
        else if ("failure" in message) {
          const { code, message: detail, status, fields } = message.failure;
          reject(new Failure(code, detail, { ...fields, status }));
        } else if ("error" in message) reject(new Error(message.error));
        else if ("committed" in message) committed?.();
        else {
          void this.#order.alone(message.wantsToCommit, () => {
            const done = new Promise<void>((settled) => {
              committed = settled;
              child.once("close", () => settled());
            });
            child.send({ mayCommit: true } satisfies ToProgram, () => {});
            return done;
          });
        }
      });
      child.once("error", reject);
      child.once("close", (code, signal) =>
        reject(new Error(`files of the agents' user: ended with ${code ?? signal}`)),
      );
    });
  }
}

/** It removes what it had begun; one that does not end is killed. */
function stop(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) child.send({ stop: true } satisfies ToProgram, () => {});
  const timer = setTimeout(() => child.kill("SIGKILL"), killMs);
  child.once("close", () => clearTimeout(timer));
}

/** Rejects where the body breaks off: what has come of it is no file. */
async function feed(stdin: Writable, body: Bytes, child: ChildProcess): Promise<void> {
  for await (const piece of body) {
    if (child.exitCode !== null || stdin.destroyed) return;
    if (!stdin.write(piece)) await drained(stdin, child);
  }
  stdin.end();
}

function drained(stdin: Writable, child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stdin.off("drain", done).off("close", done);
      child.off("close", done);
      resolve();
    };
    stdin.on("drain", done).on("close", done);
    child.on("close", done);
  });
}

async function* bytesFrom(child: ChildProcess, stdout: Readable): AsyncGenerator<Uint8Array> {
  const end = endOf(child);
  try {
    yield* stdout as AsyncIterable<Buffer>;
    await end;
  } finally {
    end.catch(() => {}); // Whoever leaves early ends it.
    child.kill("SIGKILL");
  }
}

/** Rejects where it did not come to its end: what it sent is a part. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) =>
      code === 0 ? resolve() : reject(new Error("the process that read it did not come to its end"));
    if (child.exitCode !== null) end(child.exitCode);
    else child.once("exit", end);
  });
}

function changesFrom(child: ChildProcess, stdout: Readable): AsyncIterableIterator<FileChange> {
  const lines = readLines(stdout)[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await lines.next();
      const change = typeof value === "string" ? parseJson(value) : undefined;
      if (done === true || !isRecord(change)) return { done: true, value: undefined };
      return { done: false, value: change as unknown as FileChange };
    },
    async return() {
      child.kill("SIGKILL");
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
