import type { ModelRequest } from "../request/model-request.ts";
import { replyId } from "../script/reply-id.ts";
import type { StopReason } from "../script/script.ts";
import { openaiProblem } from "./openai-problem.ts";
import { cut, joinSections, type Reply, type ReplyPart } from "./reply.ts";
import { argumentChunk, type Frame, scriptedTime, type Wire } from "./wire.ts";

const finishReasons: Record<StopReason, string> = {
  end: "stop",
  tool: "tool_calls",
  length: "length",
  refusal: "content_filter",
  stop_sequence: "stop",
};

export const chatCompletions: Wire = {
  stream(reply, request) {
    const frame = frameMaker(reply, request);
    const deltas = [
      { role: "assistant", content: "" },
      ...reply.parts.flatMap((part, at) => deltasOf(part, toolIndex(reply, at), reply)),
    ];
    const said = deltas.map((delta, at) =>
      frame([{ index: 0, delta, finish_reason: null }], at === 0 ? 0 : reply.delayMs),
    );
    if (reply.brokenBy !== undefined) {
      const { message, code } = reply.brokenBy;
      return [...said, dataFrame(openaiProblem({ status: 500, message, code, requestId: "" }))];
    }
    return [
      ...said,
      frame([{ index: 0, delta: {}, finish_reason: finishReasons[reply.stop] }]),
      ...(request.wantsUsage ? [frame([], 0, usageOf(reply))] : []),
      { text: "data: [DONE]\n\n", delayMs: 0 },
    ];
  },
  whole(reply) {
    const calls = reply.parts.flatMap((part) => (part.kind === "tool" ? [callOf(part, reply)] : []));
    const thoughts = reply.parts.flatMap((part) =>
      part.kind === "reasoning" ? [joinSections(part.sections).join("")] : [],
    );
    const texts = reply.parts.flatMap((part) => (part.kind === "text" ? part.chunks : []));
    const message = {
      role: "assistant",
      content: texts.length === 0 ? null : texts.join(""),
      reasoning_content: thoughts.length === 0 ? undefined : thoughts.join("\n\n"),
      tool_calls: calls.length === 0 ? undefined : calls,
      refusal: null,
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[reply.stop] };
    return { ...envelope(reply, "chat.completion"), choices: [choice], usage: usageOf(reply) };
  },
  problem: openaiProblem,
  requestIdHeader: "x-request-id",
};

/** Counts tool calls only: that is what `index` means in a chunk. */
function toolIndex(reply: Reply, at: number): number {
  return reply.parts.slice(0, at).filter((part) => part.kind === "tool").length;
}

function deltasOf(part: ReplyPart, index: number, reply: Reply): object[] {
  switch (part.kind) {
    case "text":
      return part.chunks.map((content) => ({ content }));
    case "reasoning":
      return joinSections(part.sections).map((reasoning_content) => ({ reasoning_content }));
    case "tool": {
      const call = callOf(part, reply);
      const opening = { index, ...call, function: { name: part.name, arguments: "" } };
      const pieces = cut(call.function.arguments, argumentChunk);
      return [
        { tool_calls: [opening] },
        ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    }
  }
}

function callOf(part: ReplyPart & { kind: "tool" }, reply: Reply) {
  const text = part.custom ? JSON.stringify({ input: part.arguments }) : part.arguments;
  const id = part.id ?? replyId("call", reply.place, part.idIndex);
  return { id, type: "function", function: { name: part.name, arguments: text } };
}

function envelope({ place, model }: Reply, object: string) {
  return { id: replyId("chatcmpl", place), object, created: scriptedTime, model, system_fingerprint: null };
}

function usageOf({ usage }: Reply) {
  const { input, output, cachedInput = 0, reasoning = 0, cost } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
    // Routers such as OpenRouter put the price beside the counts.
    cost,
    cost_details: cost === undefined ? undefined : { upstream_inference_cost: 0 },
  };
}

/** With a usage chunk asked for, every other chunk carries `usage: null`. */
function frameMaker(reply: Reply, request: ModelRequest) {
  return (choices: object[], delayMs = 0, usage: object | null = null): Frame => {
    const chunk = { ...envelope(reply, "chat.completion.chunk"), choices };
    return dataFrame(request.wantsUsage ? { ...chunk, usage } : chunk, delayMs);
  };
}

function dataFrame(value: object, delayMs = 0): Frame {
  return { text: `data: ${JSON.stringify(value)}\n\n`, delayMs };
}
