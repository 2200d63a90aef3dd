import { parseJson } from "@muster/core";
import { replyId } from "../script/reply-id.ts";
import type { StopReason } from "../script/script.ts";
import { cut, joinSections, type Reply, type ReplyPart } from "./reply.ts";
import { argumentChunk, type Frame, namedEvent, type Problem, type Wire } from "./wire.ts";

const stopReasons: Record<StopReason, string> = {
  end: "end_turn",
  tool: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  stop_sequence: "stop_sequence",
};

/** status → error.type, as the Messages API names them. */
const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export const anthropic: Wire = {
  stream(reply) {
    const message = { ...buildMessage(reply), content: [], stop_reason: null, usage: usageOf(reply, 1) };
    const start = namedEvent({ type: "message_start", ...{ message } });
    const blocks = reply.parts.flatMap((part, index) => blockFrames(part, index, reply));
    // The real service pings once the first block is open, and clients must bear it.
    const opened = [start, ...blocks.slice(0, 1), namedEvent({ type: "ping" }), ...blocks.slice(1)];
    if (reply.brokenBy !== undefined) {
      const error = { type: reply.brokenBy.code ?? "overloaded_error", message: reply.brokenBy.message };
      return [...opened, namedEvent({ type: "error", ...{ error } })];
    }
    const delta = { stop_reason: stopReasons[reply.stop], stop_sequence: null };
    const end = namedEvent({ type: "message_delta", ...{ delta, usage: usageOf(reply) } });
    return [...opened, end, namedEvent({ type: "message_stop" })];
  },
  whole(reply) {
    const content = reply.parts.map((part) => blockOf(part, reply));
    return { ...buildMessage(reply), content, stop_reason: stopReasons[reply.stop], usage: usageOf(reply) };
  },
  problem({ status, message, code, requestId }: Problem) {
    const type = code ?? errorTypes[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
    return { type: "error", error: { type, message }, request_id: requestId };
  },
  requestIdHeader: "request-id",
};

function buildMessage(reply: Reply) {
  const { model, place } = reply;
  return { id: replyId("msg", place), type: "message", role: "assistant", model, stop_sequence: null };
}

/** Here `input_tokens` leaves out what came from the cache or went into it. */
function usageOf({ usage }: Reply, output = usage.output) {
  const { input, cachedInput = 0, cacheWrite = 0 } = usage;
  return {
    input_tokens: input - cachedInput - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    output_tokens: Math.min(output, usage.output),
  };
}

function blockFrames(part: ReplyPart, index: number, reply: Reply): Frame[] {
  const start = (content_block: object) => namedEvent({ type: "content_block_start", ...{ index, content_block } });
  const delta = (value: object) =>
    namedEvent({ type: "content_block_delta", ...{ index, delta: value } }, reply.delayMs);
  const stop = namedEvent({ type: "content_block_stop", ...{ index } });
  switch (part.kind) {
    case "text":
      return [
        start({ type: "text", text: "" }),
        ...part.chunks.map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "reasoning":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...joinSections(part.sections).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: part.signature }),
        stop,
      ];
    case "tool":
      return [
        start({ ...blockOf(part, reply), input: {} }),
        ...cut(argumentsOf(part), argumentChunk).map((partial_json) =>
          delta({ type: "input_json_delta", partial_json }),
        ),
        stop,
      ];
  }
}

function blockOf(part: ReplyPart, reply: Reply) {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.chunks.join("") };
    case "reasoning":
      return { type: "thinking", thinking: joinSections(part.sections).join(""), signature: part.signature };
    case "tool": {
      const id = part.id ?? replyId("toolu", reply.place, part.idIndex);
      // Outside a stream the input is always JSON; broken text is wrapped the way the service documents.
      const json = argumentsOf(part);
      return { type: "tool_use", id, name: part.name, input: parseJson(json, { INVALID_JSON: json }) };
    }
  }
}

function argumentsOf(part: ReplyPart & { kind: "tool" }): string {
  return part.custom ? JSON.stringify({ input: part.arguments }) : part.arguments;
}
