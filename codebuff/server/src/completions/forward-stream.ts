import type { Writable } from "node:stream";
import { BytePump, type CallUnderWay, type Outcome, outcomeOf } from "@muster/forwarding";
import { suspended } from "../admission/ban.ts";
import type { PassedCall } from "../admission/pass-gates.ts";
import { errorFields } from "../log.ts";
import type { Settled } from "../money/calls/settle.ts";
import { outputUnits } from "../routing/estimate.ts";
import type { Service } from "../service.ts";
import { closeCall } from "./close-call.ts";
import { OutputCounter } from "./output-counter.ts";
import { answerOf } from "./provider-error.ts";
import { creditsOf } from "./shown-usage.ts";
import { UsageGate } from "./usage-gate.ts";

/** Who a stream is for. */
export interface StreamClient {
  readonly target: Writable;
  /** The provider has begun to answer. */
  open(): void;
  /** Something was written. */
  readonly wrote?: () => void;
  /** How long a provider may still speak, asked when the target has closed before its end. */
  lastWordsMs(): number;
}

export interface Forwarded {
  readonly outcome: Outcome;
  readonly settled: Settled | undefined;
}

/** The last frame of a stream that we ended, by why: clients of the OpenAI kind show its text. */
const problems: Partial<Record<Outcome, { message: string; code: string | undefined }>> = {
  "used up": { message: "The credits held for this call are used up", code: "credits_used_up" },
  "shut out": suspended(),
};

/**
 * Forwards a stream frame by frame, untouched but for the last usage. Resolves when the call is closed and everything is
 * written, or the client is gone. The answer is cut where the provider's was cut. Throws what a client that still waits is to
 * see when there is no answer, and then no credits stay held.
 */
export async function forwardStream(
  call: PassedCall,
  underWay: CallUnderWay,
  client: StreamClient,
  service: Service,
): Promise<Forwarded> {
  const { stalledMs, lastWordsMs } = service.times;
  const { target } = client;
  const gate = new UsageGate(new OutputCounter(call.mostCharacters, () => underWay.stop("used up")));
  const onClose = () => underWay.leave(client.lastWordsMs());
  target.once("close", onClose);
  if (target.destroyed) onClose();
  service.calls.add({
    requestId: call.requestId,
    ownerId: call.user.id,
    outputUnits: () => outputUnits(call.chat.model, gate.output.characters, service.config.prices),
    stop: (why) => underWay.stop(why),
  });
  let pump: BytePump | undefined;
  try {
    const source = await answerOf(underWay, call.route);
    if (!(source instanceof Error)) {
      pump = new BytePump(source, target, { stalledMs, wrote: client.wrote });
      if (!target.destroyed) client.open();
      await pump.run(gate).catch((error: unknown) => {
        service.log("warn", "a provider's stream is broken", { requestId: call.requestId, ...errorFields(error) });
        underWay.end(0);
      });
    }
    if (gate.usage) underWay.note("told");
    if (gate.isDone) underWay.note("completed");
    const { life } = underWay;
    const { serviceId } = gate.output;
    const outputCharacters = life.isTold ? 0 : gate.output.characters;
    const settled = await closeCall(call, [{ life, usage: gate.usage, outputCharacters, serviceId }], service);
    if (source instanceof Error && !life.isLeft) throw source;
    pump?.write(gate.end(creditsOf(settled)));
    const { message, code } = problems[outcomeOf(life)] ?? {};
    if (message) pump?.write([Buffer.from(`data: ${JSON.stringify({ error: { message, code } })}\n\n`)]);
    if (gate.isDone) await pump?.end();
    else pump?.cut();
    return { outcome: outcomeOf(life), settled };
  } catch (error) {
    // The client has not seen the end, so it does not take this for a complete answer; the lease settles what is not closed.
    if (pump) target.destroy();
    throw error;
  } finally {
    target.off("close", onClose);
    underWay.end(lastWordsMs);
    service.calls.remove(call.requestId);
  }
}
