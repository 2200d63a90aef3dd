export { daemonSandbox } from "./daemon-sandbox.ts";
export { type MusterSettings, muster } from "./harness.ts";
