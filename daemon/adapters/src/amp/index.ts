import type { Agent } from "../adapter.ts";
import { defineAgent } from "../install/define-agent.ts";
import { ampCredentials } from "./credentials.ts";
import { ampRelease } from "./release.ts";

/** Amp: it can be installed; it is not driven yet. */
export const amp: Agent = defineAgent({ release: ampRelease, credentials: ampCredentials });
