import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord, parseJson } from "@muster/core";
import { type CallUnderWay, readAnswer } from "@muster/forwarding";
import { usageOfBody } from "@muster/metering";
import type { PassedCall } from "../admission/pass-gates.ts";
import { Refusal } from "../refusal.ts";
import type { Route } from "../routing/route.ts";
import type { Service } from "../service.ts";
import { closeCall, type EndedPart } from "./close-call.ts";
import { charactersIn } from "./output-counter.ts";
import { answerOf } from "./provider-error.ts";
import { creditsOf, showCredits } from "./shown-usage.ts";

type Answer = Record<string, unknown>;

/** Without a stream: one answer, or several as one, settled as one call. Throws what the client is to see. */
export async function forwardAnswer(
  call: PassedCall,
  underWay: readonly CallUnderWay[],
  response: ServerResponse,
  service: Service,
): Promise<Answer> {
  const onClose = () => {
    for (const each of underWay) each.leave(service.times.lastWordsMs);
  };
  response.once("close", onClose);
  if (response.destroyed) onClose();
  service.calls.add({
    requestId: call.requestId,
    ownerId: call.user.id,
    outputUnits: () => 0,
    stop: (why) => {
      for (const each of underWay) each.stop(why);
    },
  });
  try {
    const ended = await Promise.all(underWay.map((each) => readOne(each, call.route)));
    const answers = ended.flatMap(({ answer }) => (answer ? [answer] : []));
    const failures = ended.flatMap(({ failure }) => (failure ? [failure] : []));
    const settled = await closeCall(call, ended, service);
    const [failure] = failures;
    if (failure) throw answers.length > 0 ? someFailed(failures.length, call.chat.n) : failure;
    return showCredits(joinAnswers(answers), creditsOf(settled));
  } finally {
    response.off("close", onClose);
    for (const each of underWay) each.end(service.times.lastWordsMs);
    service.calls.remove(call.requestId);
  }
}

interface Read extends EndedPart {
  readonly answer?: Answer;
  readonly failure?: Error;
}

async function readOne(underWay: CallUnderWay, route: Route): Promise<Read> {
  const answer = await readObject(underWay, await answerOf(underWay, route));
  if (answer instanceof Error) {
    return { life: underWay.life, failure: answer, usage: undefined, outputCharacters: 0 };
  }
  const usage = usageOfBody("chat", answer);
  if (usage) underWay.note("told");
  underWay.note("completed");
  const outputCharacters = charactersIn(choicesOf(answer).map(({ message }) => message));
  const serviceId = typeof answer.id === "string" ? answer.id : undefined;
  return { life: underWay.life, answer, usage, outputCharacters, serviceId };
}

async function readObject(underWay: CallUnderWay, head: IncomingMessage | Error): Promise<Answer | Error> {
  if (head instanceof Error) return head;
  const bytes = await readAnswer(head).catch(() => undefined);
  if (bytes === undefined) return new Refusal(500, "The provider's answer was cut off");
  const answer = parseJson(bytes.toString("utf8"));
  if (isRecord(answer)) return answer as Answer;
  underWay.note("unreadable");
  return new Refusal(500, "The provider's answer is not a JSON object");
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
