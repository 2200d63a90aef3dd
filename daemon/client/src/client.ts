import type { Caller } from "./caller.ts";
import { type ClientOptions, createCaller } from "./http-caller.ts";
import { type Methods, methodsOf } from "./operation-methods.ts";

/** `call` and `stream` by operation id, and every operation as a method: `client.sessions.create({ … })`. */
export type Client = Caller & Methods;

export function createClient(options: ClientOptions): Client {
  return clientOf(createCaller(options));
}

export function clientOf(caller: Caller): Client {
  return { ...caller, ...methodsOf(caller) };
}
