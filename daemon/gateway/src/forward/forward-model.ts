import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf } from "@muster/core";
import type { CallUnderWay } from "@muster/forwarding";
import type { UpstreamChoice } from "../access/upstreams.ts";
import { type AdmissionParts, admit } from "../budget/admission.ts";
import { RequestPace } from "../budget/request-pace.ts";
import { AnswerMeter } from "../meter/answer-meter.ts";
import { spendingOf, usageOf } from "../meter/spending.ts";
import type { GatewaySessions, SessionAccount, WireRequest } from "../ports.ts";
import { decode } from "../protocol/decode.ts";
import { lastFrame, type Refusal, refuse } from "../protocol/refusals.ts";
import { readFacts } from "../protocol/request-facts.ts";
import type { Recorder } from "../record/recorder.ts";
import { type CallParts, callProvider } from "./call-provider.ts";
import type { Exchange, RequestBody } from "./exchange.ts";
import { type MeteredParts, MeteredRequest } from "./metered-request.ts";
import { beginAnswer, endAnswer, keepingCopy } from "./pass-answer.ts";
import type { RequestHistory } from "./request-history.ts";

export interface ModelParts extends CallParts, AdmissionParts, MeteredParts {
  readonly sessions: GatewaySessions;
  readonly paces: Map<string, RequestPace>;
  readonly history: RequestHistory;
  /** The process ends: nobody is held back any more. */
  readonly closing: AbortSignal;
  recorderFor(sessionId: string): Recorder | undefined;
  upstreamsFor(exchange: Exchange, model: string | undefined): readonly UpstreamChoice[];
}

/** A client that left: how long the provider may still say what was used. An agent was interrupted, so it is short. */
const lastWordsMs = 250;
const restMs = 1_000;
const noBytes = Buffer.alloc(0);
const mostRecordedBytes = 64 * 1024 * 1024;

/** Forwards a request that costs money: admitted, written down, sent, metered, settled. */
export async function forwardModel(exchange: Exchange, body: RequestBody, parts: ModelParts): Promise<void> {
  const { request, response, endpoint, requester, placeholder } = exchange;
  const { sessionId, subAgent } = requester;
  const say = (refusal: Refusal) => refuse(response, endpoint.protocol, refusal);
  const account = parts.sessions.account(sessionId);
  if (account === undefined) return say({ kind: "key", message: `The session ${sessionId} of this key is gone` });
  const tooMany = await keepPace(exchange, account, parts);
  if (tooMany !== undefined) return say(tooMany);
  if (response.destroyed || parts.closing.aborted) return void response.destroy();
  const facts = readFacts(body.bytes, endpoint, request.headers["content-encoding"]);
  const model = facts.model ?? "unknown";
  const conversation = JSON.stringify([sessionId, subAgent ?? "", model]);
  const asked = { sessionId, account, model, conversation, estimatedTokens: facts.inputTokens, prices: parts.prices() };
  const admitted = admit(asked, parts);
  if ("refused" in admitted) return say({ kind: admitted.refused, message: admitted.message });
  const metered = new MeteredRequest({ ...asked, ...admitted }, parts);
  const wire: WireRequest = {
    requestId: admitted.requestId,
    provider: placeholder.provider,
    protocol: endpoint.protocol,
    model,
    ...(subAgent !== undefined && { subAgent }),
    reserved: {
      ...spendingOf(model, usageOf(facts.inputTokens, 0), asked.prices),
      listNanoUsd: admitted.input.nanoUsd,
    },
  };
  parts.history.begin(sessionId, wire, parts.now());
  try {
    await parts.sessions.began(sessionId, wire);
    await send(exchange, body, { metered, model, upstreams: parts.upstreamsFor(exchange, facts.model) }, parts);
  } catch (error) {
    say({ kind: "broken", message: `The request was not forwarded: ${messageOf(error)}` });
  } finally {
    metered.settle();
    if (metered.settlement !== undefined) parts.history.settle(sessionId, metered.settlement);
  }
}

/** Holds a request back until its minute has room: the agent waits as for a slow provider, and nothing untrue is said. */
async function keepPace(
  { requester, response }: Exchange,
  { limits }: SessionAccount,
  { paces, now, closing }: ModelParts,
): Promise<Refusal | undefined> {
  const { requestsPerMinute: most } = limits;
  if (most === undefined) return undefined;
  const pace = paces.get(requester.sessionId) ?? new RequestPace();
  paces.set(requester.sessionId, pace);
  const turn = pace.take(most, now());
  if ("retryMs" in turn) {
    const retryAfterSeconds = Math.ceil(turn.retryMs / 1000);
    const message = `This session may make ${most} requests a minute, and more of them wait than two minutes hold`;
    return { kind: "pace", message, retryAfterSeconds };
  }
  if (turn.waitMs === 0) return undefined;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  // Whoever leaves while waiting is not forwarded: its response is closed.
  await wait(turn.waitMs, undefined, { signal: AbortSignal.any([gone.signal, closing]) }).catch(() => {});
  response.off("close", leave);
  return undefined;
}

interface Sending {
  readonly metered: MeteredRequest;
  readonly model: string;
  readonly upstreams: readonly UpstreamChoice[];
}

async function send(exchange: Exchange, body: RequestBody, sending: Sending, parts: ModelParts): Promise<void> {
  const { response, endpoint, requester } = exchange;
  const { metered, model, upstreams } = sending;
  let current: CallUnderWay | undefined;
  const onClose = () => current?.leave(lastWordsMs);
  response.once("close", onClose);
  try {
    const begin = (underWay: CallUnderWay) => {
      current = underWay;
      metered.send(underWay);
    };
    const isWanted = () => metered.isWanted && !response.destroyed;
    const called = await callProvider({ exchange, body, upstreams, isWanted, begin }, parts);
    if ("kind" in called) {
      const { cutWords } = metered;
      return refuse(
        response,
        endpoint.protocol,
        cutWords === undefined ? called : { kind: "budget", message: cutWords },
      );
    }
    const { head, underWay } = called;
    const meter = new AnswerMeter({
      protocol: endpoint.protocol,
      headers: head.headers,
      onTold: (told) => metered.tell(told),
    });
    metered.answer(head.statusCode ?? 502, meter);
    const recorder = parts.recorderFor(requester.sessionId);
    const sent = recorder === undefined ? noBytes : body.bytes;
    body.bytes = noBytes;
    const recorded = recorder && keepingCopy(meter, mostRecordedBytes);
    const pump = beginAnswer(head, response);
    await pump.run(recorded?.passage ?? meter);
    const told = await meter.finish();
    if (told.isFinal) underWay.note("told");
    if (head.complete) underWay.note("completed");
    metered.settle();
    if (recorder && recorded) record(recorder, exchange, sent, head, recorded.copy());
    const { cutWords } = metered;
    if (cutWords === undefined) return await endAnswer(head, pump);
    if (!meter.takesLastFrame) return pump.cut();
    pump.write([lastFrame(endpoint.protocol, cutWords, { model, ...(told.answerId && { id: told.answerId }) })]);
    await pump.end();
  } finally {
    response.off("close", onClose);
    current?.end(restMs);
  }
}

function record(recorder: Recorder, exchange: Exchange, body: Buffer, head: IncomingMessage, answer: Buffer): void {
  const { request, path, requester } = exchange;
  recorder.write(requester.sessionId, {
    method: request.method ?? "POST",
    path,
    headers: textsOf(request.headers),
    body: decode(body, request.headers["content-encoding"]) ?? body,
    status: head.statusCode ?? 502,
    answerHeaders: textsOf(head.headers),
    answer: decode(answer, head.headers["content-encoding"]) ?? answer,
    isCut: !head.complete,
  });
}

function textsOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
}
