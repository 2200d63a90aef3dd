import type { IncomingMessage, ServerResponse } from "node:http";
import { errorAnswer, jsonAnswer, pathOf } from "../error-answer.ts";
import { errorFields } from "../log.ts";
import type { Service } from "../service.ts";
import { chatCompletions } from "./chat-completions.ts";

export const chatPath = "/api/v1/chat/completions";

export function isChat(request: IncomingMessage): boolean {
  return request.method === "POST" && pathOf(request) === chatPath;
}

/** The one route that is not the framework's: nothing wraps a request that comes by the hundred. Never throws. */
export async function chatRoute(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  const began = service.now();
  try {
    const body = await chatCompletions(request, response, service);
    if (body !== undefined) write(response, jsonAnswer(200, body));
  } catch (error) {
    if (response.headersSent) {
      // The answer has begun, so there is no other way to say that it is not whole.
      service.log("error", "an answer broke off", { path: chatPath, ...errorFields(error) });
      response.destroy();
    } else {
      refuse(error, request, response, service);
    }
  }
  const status = response.statusCode;
  service.metrics.count("requests", { route: chatPath, status });
  service.log("debug", "request", { method: "POST", path: chatPath, status, ms: service.now() - began });
}

function refuse(error: unknown, request: IncomingMessage, response: ServerResponse, service: Service): void {
  try {
    write(response, errorAnswer(error, request, service));
    // What nobody reads any more must not stand in the way of the next request.
    request.resume();
  } catch (fault) {
    // A provider's word that cannot be said on: nobody above would catch it.
    service.log("error", "an answer could not be written", { path: chatPath, ...errorFields(fault) });
    response.destroy();
  }
}

function write(response: ServerResponse, { status, headers, body }: ReturnType<typeof jsonAnswer>): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
