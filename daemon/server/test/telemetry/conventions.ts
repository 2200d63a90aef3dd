import type { ReceivedSpan } from "./otlp-receiver.ts";

/**
 * The conventions that spans follow, read on 2026-11-18. Generative AI: repository open-telemetry/semantic-conventions-genai,
 * which has no release and marks all of it Development; docs/gen-ai/client-inference.md at ac48b1f9df15 (built on
 * semantic-conventions v1.44.0), agent spans at e8fc57515062, tool spans of the same branch. HTTP: v1.44.0, stable.
 */
const conventions: readonly SpanRow[] = [
  {
    is: ({ attributes }) => attributes["gen_ai.operation.name"] === "invoke_agent",
    name: /^invoke_agent \S/,
    kind: "client",
    required: ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.agent.name", "gen_ai.conversation.id"],
    other: [
      "gen_ai.agent.version",
      "gen_ai.request.model",
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.cache_read.input_tokens",
      "gen_ai.usage.reasoning.output_tokens",
    ],
    content: ["gen_ai.input.messages", "gen_ai.output.messages"],
  },
  {
    is: ({ attributes }) => attributes["gen_ai.operation.name"] === "execute_tool",
    name: /^execute_tool \S/,
    kind: "internal",
    required: ["gen_ai.operation.name", "gen_ai.tool.name"],
    other: ["gen_ai.tool.call.id", "gen_ai.agent.name", "gen_ai.conversation.id"],
    content: ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"],
  },
  {
    is: ({ attributes }) => attributes["gen_ai.operation.name"] === "chat",
    name: /^chat \S/,
    kind: "client",
    required: ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"],
    other: [
      "gen_ai.conversation.id",
      "gen_ai.agent.name",
      "gen_ai.request.stream",
      "gen_ai.response.id",
      "gen_ai.response.model",
      "gen_ai.response.finish_reasons",
      "gen_ai.response.time_to_first_chunk",
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.cache_read.input_tokens",
      "gen_ai.usage.reasoning.output_tokens",
    ],
    content: [],
  },
  {
    is: ({ name }) => name.startsWith("await_"),
    name: /^await_(permission|question)$/,
    kind: "internal",
    // No convention knows a wait for a person: these names are ours, beside the two that say whose it is.
    required: ["muster.request.kind", "muster.request.id", "muster.request.outcome"],
    other: ["gen_ai.agent.name", "gen_ai.conversation.id"],
    content: [],
  },
  {
    is: ({ attributes }) => "http.request.method" in attributes,
    name: /^(GET|POST|PATCH|DELETE|HEAD|OPTIONS|_OTHER)( \/\S*)?$/,
    kind: "server",
    required: ["http.request.method", "url.path", "url.scheme"],
    other: [
      "http.route",
      "http.response.status_code",
      "http.request.method_original",
      "network.protocol.version",
      "client.address",
      "server.address",
      "server.port",
      "user_agent.original",
    ],
    content: [],
  },
];

/** All names that are in the table and not our own. */
export const namesOfConventions: readonly string[] = [
  "error.type",
  ...new Set(
    conventions.flatMap(({ required, other, content }) => [...required, ...other, ...content]).filter(isOfConventions),
  ),
];

interface SpanRow {
  is(span: ReceivedSpan): boolean;
  readonly name: RegExp;
  readonly kind: "internal" | "server" | "client";
  readonly required: readonly string[];
  readonly other: readonly string[];
  /** Opt-in: on no span unless it was asked for. */
  readonly content: readonly string[];
}

const kinds = { internal: 1, server: 2, client: 3 };
const numbers = /tokens$|^server\.port$|status_code$|time_to_first_chunk$|^muster\.cost/;

/** What is wrong with a span by its row of the table. */
export function faultsOf(span: ReceivedSpan, { withContent = false } = {}): string[] {
  const row = conventions.find(({ is }) => is(span));
  if (row === undefined) return [`${span.name} is in no row`];
  const { attributes, status } = span;
  const allowed = new Set([...row.required, ...row.other, "error.type", ...(withContent ? row.content : [])]);
  const faults = [
    ...(row.name.test(span.name) ? [] : ["its name"]),
    ...(span.kind === kinds[row.kind] ? [] : [`kind ${span.kind}`]),
    ...row.required.filter((name) => !(name in attributes)).map((name) => `no ${name}`),
    ...Object.keys(attributes)
      .filter((name) => isOfConventions(name) && !allowed.has(name))
      .map((name) => `${name} is in no list`),
    ...Object.entries(attributes)
      .filter(([name, value]) => numbers.test(name) !== (typeof value === "number"))
      .map(([name, value]) => `${name} is ${typeof value}`)
      .filter((text) => !/stream is boolean|finish_reasons is object/.test(text)),
    ...((status === 2) === "error.type" in attributes ? [] : ["an error without error.type, or the reverse"]),
  ];
  return faults.map((fault) => `${span.name}: ${fault}`);
}

function isOfConventions(name: string): boolean {
  return !name.startsWith("muster.");
}
