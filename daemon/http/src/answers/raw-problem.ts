import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Failure } from "@muster/schema";
import { problemAnswer, send } from "./answer.ts";

/** A failure before there is a request the framework could answer: written to the connection itself, which ends. */
export function endWithProblem(socket: Duplex, failure: Failure): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(failure.toProblem());
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** The same where Node has made a response already. */
export function answerWithProblem(response: ServerResponse, failure: Failure): void {
  send(response, problemAnswer(failure.toProblem()), { connection: "close" });
}
