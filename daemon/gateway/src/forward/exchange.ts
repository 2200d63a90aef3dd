import type { IncomingMessage, ServerResponse } from "node:http";
import type { Placeholder } from "../access/placeholders.ts";
import type { PresentedKey } from "../access/presented-key.ts";
import type { Requester } from "../access/session-names.ts";
import type { Endpoint } from "../protocol/endpoints.ts";

/** A request that may be forwarded: it is known whose it is and what it asks for. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  /** With its query, as the provider gets it. */
  readonly path: string;
  readonly placeholder: Placeholder;
  readonly requester: Requester;
  /** Undefined: the agent's own login is in its headers and stays there. */
  readonly key: PresentedKey | undefined;
}

/** The body of a request. It is let go when the answer begins: whoever waits for its end keeps no megabytes for it. */
export interface RequestBody {
  bytes: Buffer;
}
