import { Conversation } from "@muster/conformance";
import { expect, onTestFinished, test } from "vitest";
import { hasNamespaces, UnreapedDaemon } from "./unreaped-daemon.ts";

test.runIf(hasNamespaces)("a mock goes on after its daemon's SIGKILL where process 1 reaps nobody", async () => {
  const daemon = await UnreapedDaemon.start();
  onTestFinished(() => daemon.remove());
  const talk = await Conversation.open(daemon.api, { agent: "mock", directory: daemon.path });
  await talk.say("echo the word is heron");
  await talk.leave();
  const api = await daemon.killAndStart();
  await expect.poll(() => daemon.zombies().length, { timeout: 20_000 }).toBeGreaterThan(0);
  const again = new Conversation(api, talk.sessionId);
  onTestFinished(() => again.leave());
  expect((await again.say("history")).text).toContain("the word is heron");
});
