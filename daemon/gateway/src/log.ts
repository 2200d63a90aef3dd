/** Where the gateway tells what an operator may want to know. No key is ever in it. */
export type GatewayLog = (level: "info" | "warn" | "error", message: string, fields?: Record<string, unknown>) => void;
