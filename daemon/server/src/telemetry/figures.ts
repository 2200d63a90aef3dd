import type { CountedFigure, MeasuredFigure } from "@muster/engine";
import type { MetricRow } from "@muster/telemetry";

type OwnFigure = "http" | "sessions" | "streams" | "build";

const agent = "gen_ai.agent.name";
const ofModel = { agent, model: "gen_ai.request.model" };
/** Of a model call, as the conventions want them. */
const callSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** Every figure of the daemon, once: what /metrics says and what goes over OTLP. Labels are few: agents, states, kinds. */
export const figures = {
  events: {
    type: "counter",
    name: "muster_events_total",
    help: "Events appended",
    otel: { name: "muster.events", unit: "{event}" },
  },
  messages: {
    type: "counter",
    name: "muster_messages_total",
    help: "Messages accepted",
    labels: { agent },
    otel: { name: "muster.messages", unit: "{message}" },
  },
  turnsStarted: {
    type: "counter",
    name: "muster_turns_started_total",
    help: "Turns started",
    labels: { agent },
    otel: { name: "muster.turns.started", unit: "{turn}" },
  },
  turnsEnded: {
    type: "counter",
    name: "muster_turns_ended_total",
    help: "Turns ended",
    labels: { agent, status: "muster.turn.status" },
    otel: { name: "muster.turns.ended", unit: "{turn}" },
  },
  turnSeconds: {
    type: "histogram",
    name: "muster_turn_duration_seconds",
    help: "Time from the start of a turn to its end, with what a person was waited for",
    labels: { agent, status: "muster.turn.status" },
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
    otel: { name: "gen_ai.invoke_agent.duration", unit: "s" },
  },
  firstTokenSeconds: {
    type: "histogram",
    name: "muster_first_token_seconds",
    help: "Time from the start of a turn to the first thing its agent says",
    labels: { agent },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    otel: { name: "muster.turn.time_to_first_token", unit: "s" },
  },
  tokens: {
    type: "counter",
    name: "muster_tokens_total",
    help: "Tokens of ended turns, as agents count them; cached_input is part of input, reasoning of output",
    labels: { agent, type: "gen_ai.token.type" },
    otel: { name: "muster.tokens", unit: "{token}" },
  },
  cost: {
    type: "counter",
    name: "muster_cost_usd_total",
    help: "US dollars of ended turns, as agents reckon them",
    labels: { agent },
    otel: { name: "muster.cost", unit: "{USD}" },
  },
  requests: {
    type: "counter",
    name: "muster_requests_total",
    help: "Questions and permissions asked",
    labels: { agent, kind: "muster.request.kind" },
    otel: { name: "muster.requests", unit: "{request}" },
  },
  unparsed: {
    type: "counter",
    name: "muster_unparsed_total",
    help: "Lines of agents that could not be parsed",
    labels: { agent },
    otel: { name: "muster.unparsed", unit: "{line}" },
  },
  installSeconds: {
    type: "histogram",
    name: "muster_install_duration_seconds",
    help: "Time of an install that was asked for",
    labels: { agent, outcome: "muster.install.outcome" },
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600],
    otel: { name: "muster.install.duration", unit: "s" },
  },
  modelCalls: {
    type: "counter",
    name: "muster_model_calls_total",
    help: "Calls to models that went through the daemon",
    labels: { ...ofModel, status: "muster.call.status" },
    otel: { name: "muster.model.calls", unit: "{call}" },
  },
  modelSeconds: {
    type: "histogram",
    name: "muster_model_call_duration_seconds",
    help: "Time of a call to a model that went through the daemon",
    labels: ofModel,
    buckets: callSeconds,
    otel: { name: "gen_ai.client.inference.duration", unit: "s" },
  },
  modelFirstByteSeconds: {
    type: "histogram",
    name: "muster_model_first_byte_seconds",
    help: "Time from a call to a model to the first byte of its answer",
    labels: ofModel,
    buckets: callSeconds,
    otel: { name: "gen_ai.client.inference.time_to_first_chunk", unit: "s" },
  },
  modelTokens: {
    type: "counter",
    name: "muster_model_tokens_total",
    help: "Tokens of calls to models that went through the daemon, as it counts them",
    labels: { ...ofModel, type: "gen_ai.token.type" },
    otel: { name: "muster.model.tokens", unit: "{token}" },
  },
  modelCost: {
    type: "counter",
    name: "muster_model_cost_usd_total",
    help: "US dollars of calls to models that went through the daemon, as it reckons them",
    labels: ofModel,
    otel: { name: "muster.model.cost", unit: "{USD}" },
  },
  modelCallTokens: {
    type: "histogram",
    name: "muster_model_call_tokens",
    help: "Tokens of one call to a model that went through the daemon",
    labels: { ...ofModel, type: "gen_ai.token.type" },
    buckets: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576],
    otel: { name: "muster.model.call.tokens", unit: "{token}" },
  },
  modelCallCost: {
    type: "histogram",
    name: "muster_model_call_cost_usd",
    help: "US dollars of one call to a model that went through the daemon",
    labels: ofModel,
    buckets: [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    otel: { name: "muster.model.call.cost", unit: "{USD}" },
  },
  http: {
    type: "histogram",
    name: "muster_http_request_duration_seconds",
    help: "Time until the answer to a request began",
    labels: {
      operation: "muster.operation",
      method: "http.request.method",
      code: "http.response.status_code",
    },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    otel: { name: "http.server.request.duration", unit: "s" },
  },
  sessions: {
    type: "gauge",
    name: "muster_sessions",
    help: "Sessions in memory",
    labels: { agent, state: "muster.session.state" },
    otel: { name: "muster.sessions", unit: "{session}" },
  },
  streams: {
    type: "gauge",
    name: "muster_streams",
    help: "Open event streams",
    otel: { name: "muster.streams", unit: "{stream}" },
  },
  build: {
    type: "gauge",
    name: "muster_build_info",
    help: "The daemon that answers, by its version and that of what it runs on",
    labels: { version: "service.version", runtime: "process.runtime.version" },
    otel: { name: "muster.build", unit: "1" },
  },
} as const satisfies Record<CountedFigure | MeasuredFigure | OwnFigure, MetricRow>;

export type Figure = keyof typeof figures;
