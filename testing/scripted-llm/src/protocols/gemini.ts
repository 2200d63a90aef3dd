import { replyId } from "../script/reply-id.ts";
import type { StopReason } from "../script/script.ts";
import { joinSections, type Reply, type ReplyPart } from "./reply.ts";
import type { Frame, Wire } from "./wire.ts";

const finishReasons: Record<StopReason, string> = {
  end: "STOP",
  tool: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
  stop_sequence: "STOP",
};

/** status → what the Gemini API calls it. */
const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

export const gemini: Wire = {
  stream(reply, request) {
    const said = reply.parts.flatMap(piecesOf);
    const frames = said.map((part, at) => frame(reply, { parts: [part] }, at === 0 ? 0 : reply.delayMs));
    if (reply.brokenBy !== undefined) {
      const { message, code } = reply.brokenBy;
      return [...frames, dataFrame(gemini.problem({ status: 500, message, code, requestId: "" }))];
    }
    return [...frames, dataFrame(gemini.whole({ ...reply, parts: [] }, request))];
  },
  whole(reply) {
    const parts = reply.parts.flatMap(piecesOf);
    const content = { role: "model", parts: parts.length > 0 ? parts : [{ text: "" }] };
    const candidate = { content, finishReason: finishReasons[reply.stop], index: 0 };
    return { candidates: [candidate], usageMetadata: usageOf(reply), ...envelope(reply) };
  },
  problem: ({ status, message, code }) => {
    return { error: { code: status, message, status: code ?? statuses[status] ?? "INTERNAL" } };
  },
  requestIdHeader: "x-request-id",
};

function piecesOf(part: ReplyPart): object[] {
  switch (part.kind) {
    case "text":
      return part.chunks.map((text) => ({ text }));
    case "reasoning":
      return joinSections(part.sections).map((text) => ({ text, thought: true }));
    case "tool":
      // The service gives calls no id, and their arguments as one.
      return [{ functionCall: { name: part.name, args: argumentsOf(part.arguments) } }];
  }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A script that wants broken arguments gets what the service would make of them: none.
    return {};
  }
}

function frame(reply: Reply, { parts }: { parts: object[] }, delayMs: number): Frame {
  return dataFrame({ candidates: [{ content: { role: "model", parts }, index: 0 }], ...envelope(reply) }, delayMs);
}

function envelope({ place, model }: Reply) {
  return { modelVersion: model, responseId: replyId("resp", place) };
}

function usageOf({ usage }: Reply) {
  const { input, output, cachedInput, reasoning = 0 } = usage;
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning === 0 ? undefined : reasoning,
    totalTokenCount: input + output,
  };
}

function dataFrame(value: unknown, delayMs = 0): Frame {
  return { text: `data: ${JSON.stringify(value)}\n\n`, delayMs };
}
