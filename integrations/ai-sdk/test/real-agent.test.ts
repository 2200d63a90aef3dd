import assert from "node:assert/strict";
import { test } from "node:test";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { createClient } from "@muster/client";
import { daemonSandbox, type MusterSettings, muster } from "../src/index.ts";

/** `{endpoint, session}`: a daemon with a real agent, and how a session of it is begun on a scripted model. */
const given = process.env.MUSTER_TEST_AGENT;

test("a real agent: reasoning, text, an approval answered by another process, what was said before, an error", {
  skip: given === undefined && "MUSTER_TEST_AGENT names no agent",
}, async () => {
  const { endpoint, session: settings } = JSON.parse(given ?? "") as { endpoint: string; session: MusterSettings };
  const open = () =>
    new HarnessAgent({
      harness: muster({ ...settings, client: createClient({ endpoint }) }),
      sandbox: daemonSandbox,
      permissionMode: "allow-reads",
    });
  const agent = open();
  const session = await agent.createSession();
  const stream = await agent.stream({ session, prompt: "Make a file." });
  let [text, reasoning] = ["", ""];
  const steps: string[] = [];
  for await (const part of stream.fullStream) {
    if (part.type === "text-delta") text += part.text;
    if (part.type === "reasoning-delta") reasoning += part.text;
    if (part.type === "finish-step") steps.push(part.finishReason);
  }
  assert.equal(text, "I make it.");
  assert.match(reasoning, /A file is wanted\./);
  assert.deepEqual(steps, ["tool-calls"]);
  const request = (await stream.content).find((part) => part.type === "tool-approval-request");
  assert.ok(request);
  assert.match(JSON.stringify(request.toolCall.input), /touch made\.txt/);
  const state = JSON.parse(JSON.stringify(await session.detach()));

  const later = open();
  const again = await later.createSession({ sessionId: session.sessionId, resumeFrom: state });
  const answer = { type: "tool-approval-response" as const, approvalId: request.approvalId, approved: true };
  const done = await later.continueGenerate({ session: again, toolApprovalContinuations: [answer] });
  assert.equal(done.text, "It is made.");
  assert.equal(done.finishReason, "stop");
  assert.equal((await later.generate({ session: again, prompt: "What did you say?" })).text, "As I said: it is made.");

  const failed = await later.stream({ session: again, prompt: "And another." });
  const errors: unknown[] = [];
  for await (const part of failed.fullStream) if (part.type === "error") errors.push(part.error);
  assert.match(String(errors), /provider_error|that makes no sense/);
});
