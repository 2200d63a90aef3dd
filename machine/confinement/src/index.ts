export { detectSandbox, type Sandbox, type SandboxWish, trySandbox, type Wall, wallNames } from "./kernel-sandbox.ts";
export { startPastSession } from "./past-session.ts";
