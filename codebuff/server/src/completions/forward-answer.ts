import type { ServerResponse } from "node:http";
import { usageOfBody } from "@muster/metering";
import type { PassedCall } from "../admission/pass-gates.ts";
import { release } from "../money/calls/release.ts";
import { Refusal } from "../refusal.ts";
import type { Route } from "../routing/route.ts";
import type { Service } from "../service.ts";
import { bill, type Part } from "./bill.ts";
import { charactersIn } from "./output-counter.ts";
import { errorOf, unreachable } from "./provider-error.ts";
import { creditsOf, showCredits } from "./shown-usage.ts";
import { readAnswer, type Upstream } from "./upstream.ts";

type Answer = Record<string, unknown>;

/** Without a stream: one answer, or several as one, settled as one call. Throws what the client is to see. */
export async function forwardAnswer(
  call: PassedCall,
  upstreams: readonly Upstream[],
  response: ServerResponse,
  service: Service,
): Promise<Answer> {
  let isGone = false;
  let wasAbandoned = false;
  let wasStopped = false;
  let lastWords: NodeJS.Timeout | undefined;
  const stop = () => {
    wasStopped = true;
    for (const upstream of upstreams) upstream.destroy();
  };
  response.on("close", () => {
    if (response.writableFinished) return;
    isGone = true;
    lastWords = setTimeout(stop, service.times.lastWordsMs);
  });
  service.calls.add({
    requestId: call.requestId,
    outputUnits: () => 0,
    abandon: () => {
      wasAbandoned = true;
      stop();
    },
  });
  try {
    const results = await Promise.all(upstreams.map((upstream) => readOne(upstream, call.route, () => wasStopped)));
    const answers = results.flatMap((result) => ("answer" in result ? [result.answer] : []));
    const failures = results.flatMap((result) => ("failure" in result ? [result] : []));
    const [failure] = failures;
    const parts = partsOf(answers, failures, wasStopped);
    if (parts.length === 0 && failure) {
      await release(service.database, endOfCall(call, "provider error", service));
      throw failure.failure;
    }
    const settled = await bill(
      call,
      {
        parts,
        serviceId: typeof answers[0]?.id === "string" ? answers[0].id : undefined,
        outcome: wasAbandoned ? "shut down" : isGone ? "client gone" : failure ? "cut off" : "completed",
      },
      service,
    );
    if (failure) throw answers.length > 0 ? someFailed(failures.length, call.chat.n) : failure.failure;
    return showCredits(joinAnswers(answers), creditsOf(settled));
  } finally {
    clearTimeout(lastWords);
    service.calls.remove(call.requestId);
  }
}

interface Failed {
  readonly failure: Error;
  /** The provider had begun, or we stopped it: something was used, nobody says how much. */
  readonly wasBegun: boolean;
}

async function readOne(
  upstream: Upstream,
  route: Route,
  wasStopped: () => boolean,
): Promise<{ answer: Answer } | Failed> {
  const response = await upstream.response.catch(() => undefined);
  if (response === undefined) return { failure: unreachable(), wasBegun: wasStopped() };
  if ((response.statusCode ?? 500) >= 300) return { failure: await errorOf(response, route), wasBegun: false };
  const bytes = await readAnswer(response).catch(() => undefined);
  if (bytes === undefined) return broken("was cut off");
  try {
    const answer: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return { answer: answer as Answer };
  } catch {
    // As broken as JSON that is no object.
  }
  return broken("is not a JSON object");
}

function broken(how: string): Failed {
  return { failure: new Refusal(500, `The provider's answer ${how}`), wasBegun: true };
}

/** What is paid for: the answers; where there are none, or nobody waited for the rest, also what was begun. */
function partsOf(answers: readonly Answer[], failures: readonly Failed[], wasStopped: boolean): Part[] {
  const told = answers.map((answer) => ({
    usage: usageOfBody("chat", answer),
    outputCharacters: charactersIn(choicesOf(answer).map(({ message }) => message)),
  }));
  if (answers.length > 0 && !wasStopped) return told;
  const begun = failures.filter(({ wasBegun }) => wasBegun);
  return [...told, ...begun.map(() => ({ usage: undefined, outputCharacters: 0 }))];
}

function choicesOf({ choices }: Answer): readonly { readonly message?: { readonly content?: unknown } }[] {
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === "object" && choice !== null) : [];
}

/** Several answers become one whose content is the JSON array of theirs. */
function joinAnswers(answers: readonly Answer[]): Answer {
  const [first = {}] = answers;
  if (answers.length === 1) return first;
  const contents = answers.map((answer) => choicesOf(answer)[0]?.message?.content ?? null);
  const count = (name: string) =>
    answers.reduce((sum, { usage }) => sum + Number((usage as Answer | undefined)?.[name] ?? 0), 0);
  return {
    ...first,
    choices: [{ index: 0, message: { role: "assistant", content: JSON.stringify(contents) }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: count("prompt_tokens"),
      completion_tokens: count("completion_tokens"),
      total_tokens: count("total_tokens"),
    },
  };
}

function someFailed(failed: number, n: number): Refusal {
  return new Refusal(502, `${failed} of ${n} answers failed; those that came were charged`);
}

function endOfCall(call: PassedCall, closedBy: string, service: Service) {
  return { requestId: call.requestId, ownerId: call.user.id, closedBy, at: service.now() };
}
