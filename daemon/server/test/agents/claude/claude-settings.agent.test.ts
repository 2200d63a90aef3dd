import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Model } from "@muster/schema";
import { expect, onTestFinished } from "vitest";
import { mcpServer } from "../mcp-demo.ts";
import { bash, ClaudeHome } from "./claude-home.ts";

const { claude, test } = await ClaudeHome.forFile();

test("model, effort and permission mode change while it runs", async () => {
  const session = await claude.begin([
    { text: "One." },
    { text: "Two." },
    { tools: [bash("touch x.txt")] },
    { text: "Three." },
  ]);
  await session.talk.say("1");
  await claude.daemon.api.ask("PATCH", session.talk.path, { model: "sonnet", variant: "low" });
  await session.talk.say("2");
  const bodies = session.llm
    .requests()
    .map(({ body }) => body as { model: string; output_config?: { effort?: string } });
  expect(bodies.map(({ model }) => model)).toEqual(["claude-opus-5-5", "claude-sonnet-5-5"]);
  expect(bodies.map(({ output_config }) => output_config?.effort)).toEqual(["medium", "low"]);
  await claude.daemon.api.ask("PATCH", session.talk.path, { permissionMode: "bypass" });
  const turn = await session.talk.say("3");
  expect(turn.of("permission.requested").length).toBe(turn.of("permission.resolved").length);
  expect(turn.of("permission.resolved").every(({ by }) => by === "mode")).toBe(true);
  expect(turn.text).toBe("Three.");
  expect(await session.talk.view()).toMatchObject({
    model: "claude-sonnet-5-5",
    variant: "low",
    permissionMode: "bypass",
  });
  expect(await claude.processOf(session)).toBeGreaterThan(0);
  await claude.finish(session);
});

test("pictures, texts and other files reach the model", async () => {
  const directory = await claude.directory();
  const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await writeFile(join(directory, "notes.txt"), "the notes say hello");
  await writeFile(join(directory, "data.bin"), Buffer.alloc(16));
  const session = await claude.begin([{ text: "Seen." }], { directory });
  await session.talk.say("look", {
    attachments: [
      { data: picture, mime: "image/png", filename: "dot.png" },
      { path: join(directory, "notes.txt"), mime: "text/plain" },
      { path: join(directory, "data.bin"), mime: "application/octet-stream" },
    ],
  });
  const asked = JSON.stringify(session.llm.requests()[0]?.body);
  expect(asked).toContain(picture);
  expect(asked).toContain("the notes say hello");
  expect(asked).toContain(join(directory, "data.bin"));
  await claude.finish(session);
});

test("the appended system prompt is heard and an MCP server is used", async () => {
  const directory = await claude.directory();
  await writeFile(join(directory, "mcp.mjs"), mcpServer);
  const session = await claude.begin(
    [
      {
        expect: { system: "Always be brief about herons" },
        tools: [{ name: "mcp__demo__echo", native: true, input: { text: "hi" } }],
      },
      { expect: { toolResult: "echo: hi a-secret-value" }, text: "It echoed." },
    ],
    {
      directory,
      systemPrompt: "Always be brief about herons",
      mcp: {
        demo: { command: process.execPath, args: [join(directory, "mcp.mjs")], env: { ECHO_SECRET: "a-secret-value" } },
      },
    },
  );
  const pid = await claude.processOf(session);
  expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain("a-secret-value");
  const { messageId } = await session.talk.send("echo hi");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({ action: "mcp", alwaysScope: [{ action: "mcp", pattern: "mcp__demo__echo" }] });
  await claude.daemon.api.post(`${session.talk.path}/permissions/${asked.data.permissionId}/reply`, { reply: "once" });
  expect((await session.talk.turnOf(messageId)).text).toBe("It echoed.");
  await claude.finish(session);
});

test("an MCP server asks the person, and gets the answer in the form it asked for", async () => {
  const directory = await claude.directory();
  await writeFile(join(directory, "mcp.mjs"), mcpServer);
  const session = await claude.begin(
    [
      { tools: [{ name: "mcp__demo__order", native: true, input: {} }] },
      { expect: { toolResult: '"count":3' }, text: "Three it is." },
    ],
    {
      directory,
      permissionMode: "bypass",
      mcp: { demo: { command: process.execPath, args: [join(directory, "mcp.mjs")] } },
    },
  );
  const { messageId } = await session.talk.send("order");
  const asked = await session.talk.until("question.requested");
  expect(asked.data.questions).toMatchObject([{ question: "How many?", type: "number", body: "An order" }]);
  await claude.daemon.api.post(`${session.talk.path}/questions/${asked.data.questionId}/reply`, { answers: [["3"]] });
  expect((await session.talk.turnOf(messageId)).text).toBe("Three it is.");
  await claude.finish(session);
});

test("the headers of an MCP server by URL reach it and are in no argument", async () => {
  const heard = new Set<string | undefined>();
  const server = createServer((request, response) => {
    heard.add(request.headers["x-team-key"]?.toString());
    response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const session = await claude.begin([{ text: "Hello." }], {
    mcp: { web: { url: `http://127.0.0.1:${port}/mcp`, headers: { "x-team-key": "a-secret-header" } } },
  });
  await session.talk.say("hello");
  expect([...heard]).toEqual(["a-secret-header"]);
  expect(await readFile(`/proc/${await claude.processOf(session)}/cmdline`, "utf8")).not.toContain("a-secret-header");
  await claude.finish(session);
});

test("a structured output is the output of the turn", async () => {
  const jsonSchema = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
  const session = await claude.begin(
    [{ tools: [{ name: "StructuredOutput", native: true, input: { count: 3 } }] }, { text: "Counted." }],
    { agentOptions: { jsonSchema } },
  );
  const turn = await session.talk.say("count");
  expect(turn.end).toMatchObject({ status: "completed", output: { count: 3 } });
  await session.talk.finish();
});

test("its models and modes are listed without a network", async () => {
  const models = await claude.daemon.api.get<{ models: Model[] }>("/agents/claude/models");
  expect(models.models).toContainEqual(
    expect.objectContaining({ id: "default", default: true, variants: expect.arrayContaining(["low", "high"]) }),
  );
  expect(models.models.map(({ id }) => id)).toEqual(expect.arrayContaining(["opus", "sonnet", "haiku"]));
  expect(await claude.daemon.api.get("/agents/claude/modes")).toMatchObject({
    modes: [{ id: "build" }, { id: "plan" }],
  });
});

test("a slash command of its own answers without the model", async () => {
  const session = await claude.begin([{ text: "Never said." }]);
  const turn = await session.talk.say("/context");
  expect(turn.text).toContain("Context Usage");
  expect(session.llm.requests().filter(({ path }) => !path.includes("count_tokens"))).toHaveLength(0);
  await claude.finish(session);
});
