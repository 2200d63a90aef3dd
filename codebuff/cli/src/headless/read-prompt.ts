import { text } from "node:stream/consumers";
import { UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** The prompt of the command line, else all of standard input. A given prompt leaves standard input alone. */
export async function readPrompt(given: string | undefined, io: Pick<Io, "stdin">): Promise<string> {
  if (given === undefined && io.stdin.isTTY) {
    throw new UsageError('give a prompt: codebuff -n "what to do", or pipe it in; codebuff --help tells more');
  }
  const prompt = given ?? (await text(io.stdin));
  if (prompt.trim() === "") throw new UsageError("the prompt is empty");
  return prompt;
}
