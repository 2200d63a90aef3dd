import { text } from "node:stream/consumers";
import { UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** How long a pipe beside a prompt may stay empty, and silent once it has begun: its owner may keep it open for ever. */
const limits = { firstMs: 3_000, silentMs: 30_000 } as const;

export interface PromptSource {
  /** The prompt of the command line. */
  readonly given: string | undefined;
  /** Standard input is the control channel, and no text. */
  readonly isChannel: boolean;
}

/** The prompt of the command line with what is piped in below it, or standard input alone. */
export async function readPrompt(
  { given, isChannel }: PromptSource,
  io: Pick<Io, "stdin" | "stderr">,
): Promise<string> {
  if (given === undefined && io.stdin.isTTY) {
    throw new UsageError('give a prompt: codebuff -n "what to do", or pipe it in; codebuff --help tells more');
  }
  const prompt = given ?? (await text(io.stdin));
  if (prompt.trim() === "") throw new UsageError("the prompt is empty");
  if (given === undefined || isChannel || io.stdin.isTTY) return prompt;
  const piped = await readPiped(io);
  return piped.trim() === "" ? prompt : `${prompt}\n\n<stdin>\n${piped.replace(/\n$/, "")}\n</stdin>`;
}

/** All that comes, within the limits; whatever is left out is told. */
function readPiped({ stdin, stderr }: Pick<Io, "stdin" | "stderr">): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      stdin.off("data", onData).off("end", finish).off("close", finish).off("error", onError);
      resolve(Buffer.concat(pieces).toString("utf8"));
    };
    const onError = (error: Error) => {
      clearTimeout(timer);
      reject(new UsageError(`standard input cannot be read: ${error.message}`));
    };
    const onData = (piece: Buffer | string) => {
      pieces.push(Buffer.from(piece));
      wait(limits.silentMs);
    };
    const stop = () => {
      const seconds = (pieces.length === 0 ? limits.firstMs : limits.silentMs) / 1000;
      const rest = pieces.length === 0 ? "it is left out" : "what came so far is used";
      stderr.write(`codebuff: standard input is open and was silent for ${seconds} s: ${rest}\n`);
      stdin.pause();
      (stdin as { unref?: () => void }).unref?.();
      finish();
    };
    let timer: NodeJS.Timeout | undefined;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(stop, ms);
    };
    wait(limits.firstMs);
    stdin.on("data", onData).once("end", finish).once("close", finish).once("error", onError);
  });
}
