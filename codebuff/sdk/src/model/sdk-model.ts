import type { Clock, Model } from "@muster/codebuff-runtime";
import { redactKnown } from "@muster/core";
import type { Backend } from "../backend/backend.ts";
import { contextWindow } from "./model-table.ts";
import { promptAiSdkStream } from "./prompt-ai-sdk-stream.ts";
import { noWayMessage, routesFor, type Ways } from "./ways.ts";

export interface SdkModelOptions {
  readonly ways: Ways;
  readonly clientId: string;
  /** What the server is told. */
  readonly costMode: string;
  readonly clock: Clock;
  /** Counts tokens; without a server the local estimate is all there is. */
  readonly backend: Backend | undefined;
}

/** The runtime's model port: the way is chosen anew for every request. */
export function sdkModel({ ways, clientId, costMode, clock, backend }: SdkModelOptions): Model {
  const redact = redactKnown([ways.credential?.apiKey, ...ways.own.map(({ apiKey }) => apiKey)]);
  const routes = (model: string) => routesFor(ways, model, { clientId, costMode });
  return {
    async *stream(request, signal) {
      const found = routes(request.model);
      if (found.length === 0) {
        yield { type: "error", code: "no_credentials", message: noWayMessage(ways) };
        return;
      }
      yield* promptAiSdkStream(request, { routes: found, freeMode: costMode === "free", clock, redact }, signal);
    },
    countTokens:
      backend === undefined
        ? undefined
        : async (request, signal) => {
            const { messages, model, tools } = request;
            return backend.countTokens({ messages, model, tools }, signal);
          },
    contextWindow: (model) => contextWindow(routes(model)[0]?.model ?? model),
  };
}
