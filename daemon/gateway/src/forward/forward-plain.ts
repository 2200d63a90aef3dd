import type { CallUnderWay } from "@muster/forwarding";
import type { UpstreamChoice } from "../access/upstreams.ts";
import { refuse } from "../protocol/refusals.ts";
import { type CallParts, callProvider } from "./call-provider.ts";
import type { Exchange, RequestBody } from "./exchange.ts";
import { beginAnswer, endAnswer } from "./pass-answer.ts";

const passing = { push: (bytes: Buffer) => [bytes], rest: () => [], isDone: false };

/** Forwards what costs nothing: lists of models, counts of tokens. */
export async function forwardPlain(
  exchange: Exchange,
  body: RequestBody,
  upstreams: readonly UpstreamChoice[],
  parts: CallParts,
): Promise<void> {
  const { response, endpoint } = exchange;
  let current: CallUnderWay | undefined;
  const onClose = () => current?.stop("given up");
  response.once("close", onClose);
  try {
    const begin = (underWay: CallUnderWay) => {
      current = underWay;
    };
    const isWanted = () => !response.destroyed;
    const called = await callProvider({ exchange, body, upstreams, isWanted, begin }, parts);
    if ("kind" in called) return refuse(response, endpoint.protocol, called);
    const pump = beginAnswer(called.head, response);
    await pump.run(passing);
    await endAnswer(called.head, pump);
  } finally {
    response.off("close", onClose);
    current?.end(1_000);
  }
}
