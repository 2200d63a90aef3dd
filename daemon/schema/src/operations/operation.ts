import type { z } from "zod";
import type { Scope } from "../access/scopes.ts";
import type { ProblemCode } from "../problem.ts";

/** One row: an HTTP route, a CLI command and a client method at once. Paths use `{name}` for parameters. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** The last parameter of the path, when it may be left out with its slash: the daemon makes one. */
  readonly madeParam?: string;
  /** The operation in one line, without a full stop. */
  readonly summary: string;
  /** What its caller should know beyond that, in whole sentences. */
  readonly description: string;
  readonly params: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers it reads, as fields: `ifMatch` is If-Match. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The body is bytes of any type, taken as they come: `content` to the clients, a file or standard input to the command. */
  readonly takesBytes?: boolean;
  /**
   * `json` and `text` are whole answers, `sse` is a stream of `response` values, `empty` is 204. `ui` is the AI SDK's
   * stream of chunks: it ends with `[DONE]`, and 204 says that there is nothing to tell. `bytes` are those of a file or an
   * archive, as they come.
   */
  readonly answer: "json" | "text" | "sse" | "ui" | "bytes" | "empty";
  readonly status: number;
  /** Of a `text` answer. */
  readonly contentType?: string;
  readonly response?: z.ZodType;
  readonly cli: readonly [string, ...string[]];
  /** Fields whose option would collide with one every command has. */
  readonly cliNames?: Readonly<Record<string, string>>;
  /** What a token must let its holder do; `public` needs no token. */
  readonly scope: Scope | "public";
  /** Tells or changes something of the whole daemon: a token for some sessions or agents is refused. */
  readonly wholeDaemon?: boolean;
  readonly problems: readonly ProblemCode[];
}
