/** Where a signal goes. Read from `env`, because an exporter itself looks only in `process.env`; undefined: nowhere. */
export function endpointOf(env: NodeJS.ProcessEnv, signal: "traces" | "metrics"): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  const name = signal.toUpperCase();
  if (env[`OTEL_${name}_EXPORTER`]?.trim() === "none") return undefined;
  const own = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  if (own) return own;
  const all = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return all ? `${all.replace(/\/+$/, "")}/v1/${signal}` : undefined;
}
