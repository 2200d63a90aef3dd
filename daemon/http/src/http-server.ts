import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Failure } from "@muster/schema/wire";
import { checkHost, type SecurityOptions } from "./access/security.ts";
import { answerWithProblem, endWithProblem } from "./answers/raw-problem.ts";
import type { App } from "./app.ts";

/** How long what is left of a body may still come after its request has been answered. */
const lingerMs = 5_000;

/** The HTTP server around the app. What Node would refuse by itself, without a word, is refused with a problem document. */
export function createHttpServer(app: App, security: Pick<SecurityOptions, "hosts">): Server {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const listener: RequestListener = (request, response) => {
    answers.set(request.socket, response);
    try {
      checkVersion(request);
      checkHost(request, security);
    } catch (error) {
      return answerWithProblem(response, error as Failure);
    }
    response.once("finish", () => endUnreadBody(request));
    void app(request, response);
  };
  const server = createServer(
    {
      // A missing Host is ours to answer.
      requireHostHeader: false,
      headersTimeout: 10_000,
      // Bodies are watched while they are read, by their progress.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
    },
    listener,
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    // A stream that has begun must not have another answer in it.
    if (error.code === "ECONNRESET" || (answer?.headersSent && !answer.writableFinished)) socket.destroy();
    else endWithProblem(socket, failureOf(error.code));
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const detail = `Expect: ${request.headers.expect} cannot be met; 100-continue can`;
    answerWithProblem(response, new Failure("invalid_request", detail, { status: 417 }));
  });
  server.on("connect", (_: IncomingMessage, socket: Duplex) => {
    endWithProblem(socket, new Failure("method_not_allowed", "The daemon is no proxy: it takes no CONNECT"));
  });
  return server;
}

/** Node reads any version in a request line; what it then speaks is 1.1. */
function checkVersion({ httpVersionMajor, httpVersion }: IncomingMessage): void {
  if (httpVersionMajor === 1) return;
  throw new Failure("invalid_request", `The request is HTTP/${httpVersion}; this server speaks HTTP/1.1`, {
    status: 505,
  });
}

function failureOf(code: string | undefined): Failure {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Failure("invalid_request", "The headers are larger than 16 KiB", { status: 431 });
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Failure("request_timeout", "The headers were not complete after 10 seconds");
  }
  return new Failure("invalid_request", "The request is not valid HTTP");
}

/** A client that was refused and goes on sending keeps its connection only long enough to read why. */
function endUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lingerMs).unref();
  request.once("close", () => clearTimeout(timer));
}
