import type { Agent } from "../adapter.ts";
import { defineAgent } from "../install/define-agent.ts";
import { codebuffCredentials } from "./credentials.ts";
import { codebuffRelease } from "./release.ts";

/** Codebuff: it comes with the daemon; it is not driven yet. */
export const codebuff: Agent = defineAgent({ release: codebuffRelease, credentials: codebuffCredentials });
