import { Writable } from "node:stream";
import type { Chat } from "../chat/chat.ts";
import type { Io } from "../io.ts";

/** A command of the shell (`codebuff mcp list`) inside the chat: what it writes is said here, line by line. */
export async function runShellCommand(chat: Chat, run: (io: Io) => Promise<number>): Promise<void> {
  const io: Io = { ...chat.io, stdout: speaker(chat), stderr: speaker(chat) };
  await run(io);
}

function speaker(chat: Chat): Writable {
  return new Writable({
    write(chunk, _, done) {
      chat.say(String(chunk).trimEnd());
      done();
    },
  });
}
