import { Conversation } from "@muster/conformance";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterAll(() => home.remove());

test("an interrupt at the first question of the mock's demo lets it ask no second one", async () => {
  for (let round = 0; round < 5; round++) {
    const talk = await Conversation.open(daemon.api, { directory: home.path });
    onTestFinished(() => talk.leave());
    const { messageId } = await talk.send("demo");
    await Promise.race([talk.until("question.requested"), talk.until("permission.requested")]);
    await daemon.api.post(`${talk.path}/interrupt`);
    const turn = await talk.turnOf(messageId);
    expect(turn.end.status).toBe("interrupted");
    expect([...turn.of("question.requested"), ...turn.of("permission.requested")]).toHaveLength(1);
    await talk.finish();
  }
});
