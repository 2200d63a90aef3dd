import { readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Conversation } from "@muster/conformance";
import { expect, it } from "vitest";
import { agentUser } from "../../src/engine/agent-user.ts";
import { DaemonHome } from "../daemon-process.ts";

const isRoot = process.getuid?.() === 0;
const onlyRoot = it.runIf(isRoot);
if (!isRoot) process.stdout.write("skipped: running agents as another user needs root\n");

/** In a clone that only its owner may enter, nobody else can run the mock agent. */
const isReachable = ancestors(import.meta.dirname).every((path) => (statSync(path).mode & 0o001) !== 0);
if (!isReachable) process.stdout.write("skipped: this clone lies in a folder that another user cannot enter\n");

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...ancestors(dirname(path))];
}

it.runIf(isRoot && isReachable)("runs agents as another user, who can work but cannot read the token", async () => {
  const directory = await mkdtemp(join(tmpdir(), "muster-user-"));
  await chmod(directory, 0o777);
  const home = await DaemonHome.make({
    args: ["--no-token", "--agent-user", "nobody"],
    dataDirectory: join(directory, "data"),
  });
  try {
    const { api } = await home.start();
    const talk = await Conversation.open(api, { directory });
    expect((await talk.say("env USER")).text).toContain("nobody");
    expect((await talk.say("history")).text).toContain("env USER");
    const [agent] = home.agentsOf("nobody");
    expect(readFileSync(`/proc/${agent}/status`, "utf8")).toMatch(/NoNewPrivs:\s+1/);
    const attachments = [{ data: Buffer.from("of one session").toString("base64"), mime: "text/plain" }];
    await talk.send("echo attached", { messageId: "known-name", attachments });
    await talk.turnOf("known-name");
    const [folder = ""] = readdirSync(join(directory, "data/sessions"));
    const place = join(directory, "data/sessions", folder, "attachments");
    expect(statSync(place).mode & 0o777).toBe(0o711);
    expect(readdirSync(place)).toEqual([expect.stringMatching(/^[0-9a-f]{32}-1$/)]);
    await talk.finish();
  } finally {
    await home.remove();
    await rm(directory, { recursive: true, force: true });
  }
});

onlyRoot("refuses a user that does not exist, and root", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-passwd-"));
  const passwd = join(folder, "passwd");
  await writeFile(passwd, "root:x:0:0:root:/root:/bin/sh\nagent:x:1001:1002:An agent:/home/agent:/bin/sh\n");
  expect(agentUser("agent", passwd)).toEqual({ name: "agent", uid: 1001, gid: 1002, home: "/home/agent" });
  expect(() => agentUser("root", passwd)).toThrow("separates nothing");
  expect(() => agentUser("nobody", passwd)).toThrow("no user nobody");
  await rm(folder, { recursive: true });
});
