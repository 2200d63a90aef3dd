import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tell } from "@muster/chaos";
import { Conversation } from "@muster/conformance";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

const secrets = {
  daemonEnv: "planted-in-the-daemon-env-1f3a",
  sessionEnv: 'planted "in" the \\ session-env-77b2',
  token: "planted-as-the-session-token-9c0d",
  daemonToken: "planted-as-the-daemon-token-41ee",
};

it("secrets that an agent says in stderr and in lines nobody understands reach no log, file or diagnostic", async () => {
  const home = await DaemonHome.make({
    args: ["--token", secrets.daemonToken, "--log-level", "debug"],
    env: { PROVIDER_API_KEY: secrets.daemonEnv },
  });
  try {
    // Loaded into the agent before its own code: it blurts out all it can know.
    const loose = join(home.path, "loose-tongue.cjs");
    const said = `\${process.env.MOCK_TOKEN} \${process.env.MY_SECRET} ${secrets.daemonEnv}`;
    const speak = ["stdout", "stderr"].map((pipe) => `process.${pipe}.write(\`not JSON: ${said}\\n\`);`);
    const riddle = "JSON.stringify({ ev: 'riddle', secret: process.env.MY_SECRET })";
    await writeFile(loose, [...speak, `process.stdout.write(\`\${${riddle}}\\n\`);`].join("\n"));
    const daemon = await home.start();
    daemon.useToken(secrets.daemonToken);
    const { api } = daemon;
    const env = { MY_SECRET: secrets.sessionEnv, NODE_OPTIONS: `--require=${loose}` };
    const talk = await Conversation.open(api, { token: secrets.token, env });
    await writeFile(loose, "");
    await talk.say("echo hello");
    await talk.say("crash 1");
    const unparsed = await talk.until("agent.unparsed");
    expect(unparsed.data.raw).toBe("not JSON: [redacted] [redacted] [redacted]");
    const riddled = await talk.until("agent.unparsed", ({ raw }) => typeof raw === "object");
    expect(riddled.data.raw).toEqual({ ev: "riddle", secret: "[redacted]" });
    const { stderr } = (await talk.until("session.ended")).data;
    expect(stderr?.head).toContain("not JSON: [redacted] [redacted] [redacted]");
    const pages = [
      await api.get(`${talk.path}/events?raw=true`),
      await api.get(`${talk.path}/messages`),
      await api.get(talk.path),
      await api.get("/sessions"),
      await api.get("/credentials"),
      await api.get("/metrics"),
      await api.request("POST", `${talk.path}/messages`, { message: 1 }),
    ];
    await talk.leave();
    await daemon.kill("SIGTERM");
    expect(daemon.stderr).toContain("listening");
    const escaped = JSON.stringify(secrets.sessionEnv).slice(1, -1);
    for (const secret of [...Object.values(secrets), escaped]) {
      expect(daemon.stdout).not.toContain(secret);
      expect(daemon.stderr).not.toContain(secret);
      expect(JSON.stringify(pages)).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(await filesWith(home.dataDirectory, secret)).toEqual([]);
    }
  } finally {
    await home.remove();
  }
});

it("of 100 planted secrets, in every form, none is seen", async () => {
  const planted = (kind: string) => (at: number) => `${kind}/planted+${at}=${randomBytes(12).toString("hex")}`;
  const twenty = (kind: string) => Array.from({ length: 20 }, (_, at) => planted(kind)(at));
  const names = ["API_KEY", "DB_URL", "COOKIE", "GITHUB_PAT", "DSN", "PGPASSWORD", "AUTH", "SECRET", "TOKEN", "PASSWD"];
  const inEnv = twenty("env");
  const env = Object.fromEntries(inEnv.map((value, at) => [`P${at}_${names[at % names.length]}`, value]));
  const home = await DaemonHome.make({ args: ["--no-token", "--log-level", "debug"], env });
  try {
    const login = (values: readonly string[]) => ({
      tokens: { access_token: values[0], refresh_token: values[1], id_token: values[2], account: { key: values[3] } },
      OPENAI_API_KEY: values[4],
      more: Object.fromEntries(values.slice(5).map((value, at) => [`token${at}`, value])),
    });
    const [early, late, named, marked] = [twenty("early"), twenty("late"), twenty("named"), twenty("marked")];
    await mkdir(join(home.path, ".codex"));
    await writeFile(join(home.path, ".codex/auth.json"), JSON.stringify(login(early)));
    const daemon = await home.start();
    await writeFile(join(home.path, ".codex/auth.json"), JSON.stringify(login(late)));
    const all = [...inEnv, ...early, ...late, ...named, ...marked];
    expect(all).toHaveLength(100);
    const forms = all.flatMap((value) => [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString("base64url"),
      Buffer.from(`user:${value}`).toString("base64"),
    ]);
    const loose = join(home.path, "loose-tongue.cjs");
    const lines = forms.map((form) => `blurt ${form}\n`).join("");
    const speak = `for (const pipe of ["stdout", "stderr"]) process[pipe].write(${JSON.stringify(lines)});`;
    await writeFile(loose, speak);
    const talk = await Conversation.open(daemon.api, {
      env: {
        NODE_OPTIONS: `--require=${loose}`,
        ...Object.fromEntries(named.map((value, at) => [`N${at}_TOKEN`, value])),
        ...Object.fromEntries(marked.map((value, at) => [`COLOUR_${at}`, { secret: true, value }])),
      },
    });
    await writeFile(loose, "");
    await talk.say("crash 1");
    await talk.until("session.ended");
    const answers = [
      await daemon.api.get(`${talk.path}/events?raw=true&limit=10000`),
      await daemon.api.get(`${talk.path}/messages`),
      await daemon.api.get(talk.path),
      await daemon.api.get("/credentials"),
      await daemon.api.get("/metrics"),
    ];
    expect(JSON.stringify(answers)).toContain("blurt [redacted]");
    await talk.leave();
    await daemon.kill("SIGTERM");
    const files = await Promise.all((await filesUnder(home.dataDirectory)).map((path) => readFile(path, "utf8")));
    const written = [JSON.stringify(answers), daemon.stdout, daemon.stderr, ...files].join("\n");
    const sightings = forms.filter(
      (form) => written.includes(form) || written.includes(JSON.stringify(form).slice(1, -1)),
    );
    const note = `${forms.length} forms, ${sightings.length} sightings`;
    tell({ fault: "planted secrets", tried: all.length, held: all.length - sightings.length, note });
    expect(sightings).toEqual([]);
  } finally {
    await home.remove();
  }
});

it("after a restart a session asks for its secrets by name and takes no message before", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    await first.api.post("/sessions/s", {
      agent: "mock",
      token: "a-session-token",
      env: { MY_KEY: "12345678", PLAIN: "x" },
    });
    await first.kill("SIGTERM");
    const { api } = await home.start();
    expect(await api.session("s")).toMatchObject({ needsCredentials: ["token", "env.MY_KEY"] });
    const refused = await api.request("POST", "/sessions/s/messages", { message: "hi" });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "credentials_required", names: ["token", "env.MY_KEY"] },
    });
    await api.ask("PATCH", "/sessions/s", { token: "a-session-token" });
    expect(await api.request("POST", "/sessions/s/messages", { message: "hi" })).toMatchObject({ status: 422 });
    await api.ask("PATCH", "/sessions/s", { env: { MY_KEY: "12345678" } });
    const talk = new Conversation(api, "s");
    expect((await talk.say("env MY_KEY")).text).toBe("MY_KEY=12345678");
    expect((await talk.say("env PLAIN")).text).toBe("PLAIN=x");
    await talk.finish();
  } finally {
    await home.remove();
  }
});

it("the token is kept in a file only the user can read, and nothing in the data directory is open to others", async () => {
  const home = await DaemonHome.make({ args: [] });
  try {
    const daemon = await home.start();
    await daemon.api.post("/sessions/s", { agent: "mock" });
    const kept = await readFile(join(home.dataDirectory, "token"), "utf8");
    expect(kept.trim()).toBe(daemon.token);
    const files = await filesUnder(home.dataDirectory);
    const modes = await Promise.all(files.map(async (path) => ((await stat(path)).mode & 0o077) === 0 || path));
    expect(modes.filter((isPrivate) => isPrivate !== true)).toEqual([]);
  } finally {
    await home.remove();
  }
});

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function filesWith(path: string, text: string): Promise<string[]> {
  const files = await filesUnder(path);
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)));
  return files.filter((_, index) => found[index]);
}
