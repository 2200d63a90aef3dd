export { type Config, readConfig } from "./config.ts";
export { type CodebuffServer, type ServerOptions, startServer } from "./server.ts";
