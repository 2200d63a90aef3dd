import { asList, asRecord } from "../request/json-reading.ts";
import type { ModelRequest } from "../request/model-request.ts";
import { replyId } from "../script/reply-id.ts";
import { openaiProblem } from "./openai-problem.ts";
import { itemEvents, outputItem } from "./openai-responses-items.ts";
import type { Reply } from "./reply.ts";
import { type Frame, namedEvent, scriptedTime, type Wire } from "./wire.ts";

export const responses: Wire = {
  stream(reply, request) {
    const frames: Frame[] = [];
    const emit = (type: string, fields: object, delayMs = 0) => {
      frames.push(namedEvent({ type, ...{ sequence_number: frames.length, ...fields } }, delayMs));
    };
    const begun = { ...envelope(reply, request), status: "in_progress", output: [], usage: null };
    emit("response.created", { response: begun });
    emit("response.in_progress", { response: begun });
    for (const [index, part] of reply.parts.entries()) {
      for (const event of itemEvents(part, index, context(reply, request))) {
        emit(event.type, event.fields, event.isPaced ? reply.delayMs : 0);
      }
    }
    if (reply.brokenBy !== undefined) {
      const error = { code: reply.brokenBy.code ?? "server_error", message: reply.brokenBy.message };
      emit("response.failed", { response: { ...begun, status: "failed", error } });
      return frames;
    }
    const ended = finishedReply(reply, request);
    emit(ended.status === "completed" ? "response.completed" : "response.incomplete", { response: ended });
    return frames;
  },
  whole: finishedReply,
  problem: openaiProblem,
  requestIdHeader: "x-request-id",
};

function finishedReply(reply: Reply, request: ModelRequest) {
  const output = reply.parts.map((part, index) => outputItem(part, index, context(reply, request)));
  const cutBy = { length: "max_output_tokens", refusal: "content_filter" } as Record<string, string>;
  const reason = cutBy[reply.stop];
  return {
    ...envelope(reply, request),
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usageOf(reply),
  };
}

function envelope({ place, model }: Reply, request: ModelRequest) {
  const body = asRecord(request.body);
  return {
    id: replyId("resp", place),
    object: "response",
    created_at: scriptedTime,
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    service_tier: "default",
    store: body.store ?? true,
    tool_choice: "auto",
    tools: [],
  };
}

function context({ place }: Reply, request: ModelRequest) {
  const include = asList(asRecord(request.body).include);
  return { place, hasEncryptedReasoning: include.includes("reasoning.encrypted_content") };
}

function usageOf({ usage }: Reply) {
  const { input, output, cachedInput = 0, reasoning = 0 } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
