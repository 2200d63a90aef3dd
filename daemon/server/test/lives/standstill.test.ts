import { setTimeout as delay } from "node:timers/promises";
import { Conversation } from "@muster/conformance";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

it("a daemon that was stopped for longer than an agent may be silent hears it out first", async () => {
  const home = await DaemonHome.make();
  try {
    const daemon = await home.start();
    const talk = await Conversation.open(daemon.api, { limits: { turnIdleMs: 3_000, toolIdleMs: 3_000 } });
    const said = talk.say("slow 7000");
    await talk.until("turn.started");
    process.kill(daemon.pid, "SIGSTOP");
    await delay(4_500);
    process.kill(daemon.pid, "SIGCONT");
    expect((await said).end).toMatchObject({ status: "completed" });
    await talk.leave();
  } finally {
    await home.remove();
  }
});
