import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { behindGateway, gatewayHome, modelOf, talkTo } from "./gateway-home.ts";

const { program, test } = await testsOf("claude");

test("a placeholder that a command took is worth nothing for another session, at another host and after its life, and the log is told", async () => {
  const llm = await modelOf([
    {
      match: { user: "take it" },
      each: "prompt",
      turns: [
        {
          tools: [{ name: "run_command", input: { command: 'echo "$ANTHROPIC_API_KEY $ANTHROPIC_BASE_URL" >taken' } }],
        },
        { text: "Taken." },
      ],
    },
    { turns: [{ text: "Hello.", times: "always" }] },
  ]);
  const { home, daemon } = await gatewayHome({ claude: program?.path ?? "" });
  const settings = { agent: "claude", ...behindGateway.claude, baseUrl: llm.url, directory: home.path };
  const talk = await talkTo(daemon, settings);
  const other = await talkTo(daemon, settings);
  expect((await talk.say("take it")).end.status).toBe("completed");
  expect((await other.say("hello")).end.status).toBe("completed");
  const [token = "", gateway = ""] = (await readFile(join(home.path, "taken"), "utf8")).trim().split(" ");
  expect(token).toMatch(/^sk-ant-msk-/);
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 9,
      messages: [{ role: "user", content: "x" }],
    });
    const answer = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": token, ...headers },
      body,
    });
    const { error } = (await answer.json()) as { error?: { message: string } };
    return [answer.status, error?.message];
  };
  const asked = () => llm.requests().filter(({ path }) => !path.includes("count_tokens")).length;

  // Its own session pays while it lives.
  const before = asked();
  expect(await ask(gateway)).toEqual([200, undefined]);
  const { nativeSessionId = "" } = await other.view();
  const foreign = `This key is of another session than ${other.sessionId}, which the request names`;
  expect(await ask(gateway, { "x-claude-code-session-id": nativeSessionId })).toEqual([401, foreign]);
  expect(asked()).toBe(before + 1);
  await expect.poll(async () => (await talk.view()).wire?.requests).toBe(3);
  expect((await other.view()).wire?.requests).toBe(1);

  // Another host sees it as it is.
  await ask(llm.url);
  expect(JSON.stringify(llm.requests().at(-1))).not.toContain(settings.token);

  await daemon.api.post(`${talk.path}/terminate`, {});
  const dead = "This key opens nothing here: it is not of this daemon, or its agent has ended";
  const after = asked();
  await expect.poll(() => ask(gateway)).toEqual([401, dead]);
  expect(asked() - after).toBeLessThanOrEqual(1);
  expect(daemon.stderr + daemon.stdout).toContain(`a request to the gateway was refused: ${foreign}`);
  expect(daemon.stderr + daemon.stdout).not.toContain(token);
});
