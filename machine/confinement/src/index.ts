export { detectSandbox, type Sandbox, trySandbox } from "./kernel-sandbox.ts";
export { startPastSession } from "./past-session.ts";
export { quoteForShell } from "./quote-for-shell.ts";
