import type { IncomingMessage } from "node:http";
import { clientAddress, isLoopback } from "../http/client-address.ts";
import { Refusal } from "../refusal.ts";
import { sameSecret } from "../secrets.ts";
import type { Service } from "../service.ts";

const proxyHeaders = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

/** With a token for whoever has it; without one for this machine only, and never through a proxy. */
export function metricsPage(request: IncomingMessage, service: Service): Response {
  const { metricsToken } = service.config;
  const given = request.headers.authorization?.replace(/^Bearer\s+/i, "") ?? "";
  const isLocal =
    isLoopback(clientAddress(request, service.config)) &&
    proxyHeaders.every((name) => request.headers[name] === undefined);
  if (metricsToken === undefined ? !isLocal : !sameSecret(given, metricsToken)) {
    throw new Refusal(401, "Metrics are shown to those who have the metrics token");
  }
  const text = service.metrics.text({ open_model_calls: service.calls.size });
  return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
}
