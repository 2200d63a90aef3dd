import type { Caller } from "./caller.ts";
import { type HttpOptions, httpConnection } from "./connection/http-connection.ts";
import { type CallerOptions, createCaller } from "./create-caller.ts";
import type { Methods } from "./generated/methods.ts";
import { methodsOf } from "./operation-methods.ts";

/** Where the daemon is, and how it is called. */
export interface ClientOptions extends HttpOptions, CallerOptions {}

/** `call` and `stream` by operation id, and every operation as a method: `client.sessions.create({ … })`. */
export type Client = Caller & Methods;

export function createClient(options: ClientOptions): Client {
  return clientOf(createCaller(httpConnection(options), options));
}

export function clientOf(caller: Caller): Client {
  return { ...caller, ...methodsOf(caller) };
}
