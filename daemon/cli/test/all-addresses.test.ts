import { afterEach, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { runCommand } from "./start-command.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it("commands beside a daemon that listens on every address find it, and give it the token it made", async () => {
  const folder = await temporaryFolder();
  ends.push(folder.remove);
  const daemon = await startDaemonProcess(["--host", "0.0.0.0", "--port", "0", "--data-dir", folder.path]);
  ends.push(daemon.stop);
  const { code, out, err } = await runCommand(["sessions", "list"], { SANDBOX_DAEMON_DATA_DIR: folder.path });
  expect([code, err, JSON.parse(out)]).toMatchObject([0, "", { sessions: [] }]);
});
