export type { ShownRequest } from "./forward/request-history.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway.ts";
export type { GatewayLog } from "./log.ts";
export type * from "./ports.ts";
export { RoutesError } from "./routes/read-routes.ts";
