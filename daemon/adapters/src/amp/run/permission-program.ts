import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { quoteForShell } from "@muster/core";
import { ownProgram } from "../../process/own-program.ts";

/** How the program finds its daemon, and proves that it belongs to the life it asks for. */
export const socketVariable = "MUSTER_PERMISSION_SOCKET";
export const secretVariable = "MUSTER_PERMISSION_SECRET";

/** What is said over the socket: one line each way. */
interface PermissionQuestion {
  secret: string;
  tool: string;
  callId: string;
  input: string;
}

/** To Amp: 0 allows the call, 2 rejects it. */
const exitCodes = { allow: 0, reject: 2 } as const;

/**
 * Amp runs this for a tool call it may not make by itself: the input on stdin, the rest in the environment. It asks the
 * daemon and waits as long as a person takes. A daemon that is gone has not allowed anything.
 */
export async function askPermission(env: NodeJS.ProcessEnv, stdin: NodeJS.ReadableStream): Promise<number> {
  const { AGENT_TOOL_NAME: tool = "", AGENT_TOOL_USE_ID: callId = "" } = env;
  const question = { secret: env[secretVariable] ?? "", tool, callId, input: await text(stdin) };
  const answer = await ask(env[socketVariable] ?? "", question).catch((error: Error) => error.message);
  return answer === "allow" ? exitCodes.allow : exitCodes.reject;
}

async function ask(socket: string, question: PermissionQuestion): Promise<string> {
  const connection = createConnection(socket);
  connection.write(`${JSON.stringify(question)}\n`);
  return (await text(connection)).trim();
}

/** What lies on the PATH of Amp: Amp's rules name a program, and take no arguments for it. */
export function permissionScript(): string {
  const file = new URL("../../../dist/amp/run/permission-main.js", import.meta.url);
  const { command, args } = ownProgram("amp-permission", file);
  return `#!/bin/sh\nexec ${[command, ...args].map(quoteForShell).join(" ")}\n`;
}
