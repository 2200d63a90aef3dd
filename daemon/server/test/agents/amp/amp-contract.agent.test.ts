import { realAgentContract } from "../agent-contract.ts";
import { ampService } from "./amp-home.ts";

const sleeping = {
  match: { user: "sleep a while" },
  each: "prompt" as const,
  turns: [
    { text: "One moment.", tools: [{ name: "Bash", native: true, input: { cmd: "sleep 60" } }] },
    { text: "Awake.", times: "always" as const },
  ],
};

await realAgentContract(
  "amp",
  { token: "sgamp_user_test_000" },
  {
    script: { ...ampService, conversations: [...ampService.conversations, sleeping] },
    // It tells nothing while the model speaks; a call is the first thing that can be interrupted or steered.
    prompts: { slow: "sleep a while" },
    exceptions: { "asks questions and hears the answer": "Amp has no questions" },
  },
);
