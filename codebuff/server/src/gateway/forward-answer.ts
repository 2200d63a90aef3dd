import type { ServerResponse } from "node:http";
import { type Usage, usageOfBody } from "@muster/metering";
import type { PassedCall } from "../gates/pass-gates.ts";
import { release } from "../money/release.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { bill } from "./bill.ts";
import { errorOf, unreachable } from "./provider-error.ts";
import type { Route } from "./route.ts";
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
  let lastWords: NodeJS.Timeout | undefined;
  const stop = () => {
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
    const results = await Promise.allSettled(upstreams.map((upstream) => readOne(upstream, call.route)));
    const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
    const [failure] = failures;
    if (answers.length === 0 && failure && !isGone && !wasAbandoned && !failures.some(wasCutOff)) {
      await release(service.database, endOfCall(call, "provider error", service));
      throw failure;
    }
    const settled = await bill(
      call,
      {
        usage: failures.some(wasCutOff) && answers.length === 0 ? undefined : sumOf(answers),
        outputCharacters: 0,
        serviceId: typeof answers[0]?.id === "string" ? answers[0].id : undefined,
        outcome: wasAbandoned ? "shut down" : isGone ? "client gone" : failure ? "cut off" : "completed",
      },
      service,
    );
    if (failure) throw answers.length > 0 ? someFailed(failures.length, call.chat.n) : unreachable();
    return showCredits(joinAnswers(answers), creditsOf(settled));
  } finally {
    clearTimeout(lastWords);
    service.calls.remove(call.requestId);
  }
}

/** The connection broke in the middle of a good answer: something was used, nobody says how much. */
class CutOff extends Refusal {}

function wasCutOff(error: Error): boolean {
  return error instanceof CutOff;
}

async function readOne(upstream: Upstream, route: Route): Promise<Answer> {
  const response = await upstream.response.catch(() => {
    throw unreachable();
  });
  if ((response.statusCode ?? 500) >= 300) throw await errorOf(response, route);
  const bytes = await readAnswer(response).catch(() => {
    throw new CutOff(500, "The provider's answer was cut off");
  });
  try {
    return JSON.parse(bytes.toString("utf8")) as Answer;
  } catch {
    throw new CutOff(500, "The provider's answer is not JSON");
  }
}

function sumOf(answers: readonly Answer[]): Usage | undefined {
  const usages = answers.map((answer) => usageOfBody("chat", answer));
  return usages.reduce((sum, usage) => (sum && usage ? add(sum, usage) : undefined));
}

function add(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    longCacheWriteTokens: one.longCacheWriteTokens + other.longCacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    nanoDollars:
      one.nanoDollars === undefined || other.nanoDollars === undefined
        ? undefined
        : one.nanoDollars + other.nanoDollars,
  };
}

/** Several answers become one whose content is the JSON array of theirs. */
function joinAnswers(answers: readonly Answer[]): Answer {
  const [first = {}] = answers;
  if (answers.length === 1) return first;
  const contents = answers.map((answer) => {
    const choices: { message?: { content?: unknown } }[] = Array.isArray(answer.choices) ? answer.choices : [];
    return choices[0]?.message?.content ?? null;
  });
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
