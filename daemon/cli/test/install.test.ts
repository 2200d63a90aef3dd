import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { installSettings } from "../src/serve/install-options.ts";
import { progressLine } from "../src/text/progress-line.ts";
import { run } from "./run.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function startDaemonThat(answers: (accept: string | undefined, response: ServerResponse) => void) {
  const server = createServer((request, response) => answers(request.headers.accept, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const installed = { version: "1.0.0", path: "/p", source: "npm", verifiedBy: "x", alreadyInstalled: false };
const frame = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const stream = (response: ServerResponse, ...frames: string[]) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(frames.join(""));
};

describe("agents install on a terminal", () => {
  it("shows a bar on standard error and the answer on standard output", async () => {
    const url = await startDaemonThat((_, response) =>
      stream(
        response,
        frame("progress", { stage: "downloading", receivedBytes: 50_000_000, totalBytes: 100_000_000 }),
        frame("installed", installed),
      ),
    );
    const { code, out, err } = await run(["agents", "install", "claude", "--endpoint", url, "--format", "json"], {
      errorTerminal: true,
    });
    expect({ code, out }).toEqual({ code: 0, out: `${JSON.stringify(installed)}\n` });
    expect(err).toContain(`downloading [${"#".repeat(15)}${"-".repeat(15)}]  50% 50.0 of 100.0 MB`);
    expect(err.endsWith("\r\x1b[K")).toBe(true);
  });

  it("a problem at the end is the problem of the command", async () => {
    const problem = {
      type: "t",
      title: "t",
      status: 424,
      code: "install_failed",
      detail: "Claude could not be installed",
      agent: "claude",
    };
    const url = await startDaemonThat((_, response) => stream(response, frame("problem", problem)));
    const { code, err } = await run(["agents", "install", "claude", "--endpoint", url], { errorTerminal: true });
    expect(code).toBe(1);
    expect(err).toContain("error: Claude could not be installed (424 install_failed)");
  });

  it("a stream that ends too early is a lost connection", async () => {
    const url = await startDaemonThat((_, response) => stream(response, frame("progress", { stage: "resolving" })));
    expect((await run(["agents", "install", "claude", "--endpoint", url], { errorTerminal: true })).code).toBe(3);
  });

  it("elsewhere no stream is asked for", async () => {
    let accepted: string | undefined;
    const url = await startDaemonThat((accept, response) => {
      accepted = accept;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(installed));
    });
    const { code, err } = await run(["agents", "install", "claude", "--endpoint", url]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(accepted).not.toContain("event-stream");
  });
});

it("a step of unknown length has no bar, and a hostile one no control characters", () => {
  expect(progressLine({ stage: "downloading", receivedBytes: 1_500_000 })).toBe("downloading 1.5 MB");
  expect(progressLine({ stage: "resolving", detail: "npm\x1b[2J" })).toBe("resolving npm\\x1b[2J");
  expect(progressLine({ stage: "extracting", detail: "https://host.example/@x/y/-/y-1.2.3.tgz" })).toBe(
    "extracting y-1.2.3.tgz",
  );
});

describe("credentials extract", () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-it's", CODEBUFF_API_KEY: "cb" };

  it("shows no secret unless it is told to", async () => {
    const hidden = await run(["credentials", "extract"], { env });
    expect(JSON.parse(hidden.out).credentials[0]).toEqual({
      agent: "claude",
      provider: "anthropic",
      kind: "api_key",
      source: "environment ANTHROPIC_API_KEY",
      variable: "ANTHROPIC_API_KEY",
    });
    const table = await run(["credentials", "extract", "--format", "text"], { env });
    const lines = await run(["credentials", "extract-env"], { env });
    for (const { code, out } of [hidden, table, lines]) {
      expect(code).toBe(0);
      expect(out).not.toContain("sk-ant-it");
    }
    expect(lines.out).toBe(
      "# ANTHROPIC_API_KEY from environment ANTHROPIC_API_KEY; --reveal shows it\n# CODEBUFF_API_KEY from environment CODEBUFF_API_KEY; --reveal shows it\n",
    );
  });

  it("with --reveal it gives lines a shell can read", async () => {
    const revealed = await run(["credentials", "extract", "--reveal"], { env });
    expect(JSON.parse(revealed.out).credentials[0].secret).toBe("sk-ant-it's");
    const { out } = await run(["credentials", "extract-env", "--reveal"], { env });
    expect(out).toBe("export ANTHROPIC_API_KEY='sk-ant-it'\\''s'\nexport CODEBUFF_API_KEY='cb'\n");
  });
});

describe("--agent-source and --agent-mirror", () => {
  it("name sources in order", () => {
    const choices = ["claude=npm", "claude=path:/opt/claude", "codex=vendor"];
    expect(installSettings(choices, "http://mirror")).toEqual({
      sources: { claude: [{ kind: "npm" }, { kind: "file", path: "/opt/claude" }], codex: [{ kind: "vendor" }] },
      mirror: "http://mirror",
    });
    expect(installSettings([], undefined)).toEqual({});
  });

  it.each([
    ["--agent-source", "claude"],
    ["--agent-source", "claude=apt"],
    ["--agent-source", "=npm"],
    ["--agent-mirror", "ftp://mirror"],
  ])("%s %s is wrong usage", async (...args) => {
    expect((await run(["serve", "--port", "0", ...args])).code).toBe(2);
  });
});
