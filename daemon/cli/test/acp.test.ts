import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { type EditorOptions, openEditor } from "./editor.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

test("a prompt: text, thoughts, tool calls, diff, plan and usage as the editor gets them", async () => {
  const editor = await open("prompt", ["--permission-mode", "bypass"]);
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "reasoning")).toBe("end_turn");
  expect(editor.said("agent_thought_chunk")).toContain("two sides");
  expect(editor.said("agent_message_chunk")).toContain("the shorter way is the better one");
  expect(await editor.prompt(sessionId, "tool")).toBe("end_turn");
  const [call] = editor.of("tool_call");
  expect(call).toMatchObject({ title: expect.any(String), kind: expect.any(String), status: "in_progress" });
  expect(
    editor
      .of("tool_call_update")
      .filter(({ toolCallId }) => toolCallId === call?.toolCallId)
      .at(-1),
  ).toMatchObject({
    status: "completed",
    content: [{ type: "content", content: { type: "text" } }],
  });
  await editor.prompt(sessionId, "file");
  const diffs = editor
    .of("tool_call_update")
    .flatMap(({ content }) => content ?? [])
    .filter(({ type }) => type === "diff");
  expect(diffs).toContainEqual({ type: "diff", path: expect.any(String), oldText: null, newText: expect.any(String) });
  await editor.prompt(sessionId, "plan");
  expect(editor.of("plan").at(-1)?.entries).toContainEqual({
    content: "run the tests",
    priority: "medium",
    status: "completed",
  });
});

test("a permission is asked in the editor; always holds for the session; a refusal is heard", async () => {
  const asked: acp.RequestPermissionRequest[] = [];
  const answers = ["always", "reject"];
  const editor = await open("permission", [], {
    onPermission: (request) => {
      asked.push(request);
      return { outcome: { outcome: "selected", optionId: answers.shift() ?? "once" } };
    },
  });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "permission touch a")).toBe("end_turn");
  expect(await editor.prompt(sessionId, "permission touch a")).toBe("end_turn");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    sessionId,
    toolCall: { title: "Run touch a", kind: "execute", toolCallId: editor.of("tool_call")[0]?.toolCallId },
    options: [{ kind: "allow_once" }, { kind: "allow_always", name: "Always allow touch a" }, { kind: "reject_once" }],
  });
  await editor.prompt(sessionId, "permission touch b");
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
});

test("cancel ends the turn, also while a permission waits", async () => {
  const editor = await open("cancel", [], { onPermission: () => ({ outcome: { outcome: "cancelled" } }) });
  const { sessionId } = await editor.begin();
  const slow = editor.prompt(sessionId, "slow 60000");
  await editor.until(() => editor.of("agent_message_chunk").length > 0);
  await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  expect(await slow).toBe("cancelled");

  let close = (_: acp.RequestPermissionResponse) => {};
  const dialog = new Promise<acp.RequestPermissionResponse>((resolve) => {
    close = resolve;
  });
  const other = await open("cancel", [], { onPermission: () => dialog });
  const asking = await other.begin();
  const prompt = other.prompt(asking.sessionId, "permission touch a");
  await other.until(() => other.asked > 0);
  await other.agent.notify(acp.methods.agent.session.cancel, { sessionId: asking.sessionId });
  close({ outcome: { outcome: "cancelled" } });
  expect(await prompt).toBe("cancelled");
});

test("a session outlives its editor: it is listed, loaded with its history, gone on with, and deleted", async () => {
  const first = await open("durable");
  const { sessionId } = await first.begin();
  await first.prompt(sessionId, "echo remember the heron");
  await first.prompt(sessionId, "tool");
  await first.leave();

  const second = await open("durable");
  const { sessions } = await second.agent.request(acp.methods.agent.session.list, { cwd: folder.path });
  const title = "echo remember the heron";
  expect(sessions).toContainEqual(expect.objectContaining({ sessionId, cwd: folder.path, title }));
  const where = { sessionId, cwd: folder.path, mcpServers: [] };
  const loaded = await second.agent.request<acp.LoadSessionResponse>(acp.methods.agent.session.load, where);
  expect(loaded.modes?.currentModeId).toBe("build");
  expect(second.said("user_message_chunk")).toBe("echo remember the herontool");
  expect(second.said("agent_message_chunk")).toContain("remember the heron");
  expect(second.of("tool_call")).toHaveLength(1);
  expect(await second.prompt(sessionId, "history")).toBe("end_turn");
  expect(second.said("agent_message_chunk")).toContain("echo remember the heron");
  await second.agent.request(acp.methods.agent.session.resume, where);
  await second.agent.request(acp.methods.agent.session.close, { sessionId });
  await second.agent.request(acp.methods.agent.session.delete, { sessionId });
  await expect(second.agent.request(acp.methods.agent.session.load, where)).rejects.toThrow("deleted");
});

test("a fork is a session of its own that knows what was said, and its source goes on", async () => {
  const editor = await open("fork");
  const { sessionId } = await editor.begin();
  await editor.prompt(sessionId, "echo before the fork");
  const { sessionId: forked } = await editor.fork(sessionId);
  expect(forked).not.toBe(sessionId);
  await editor.prompt(sessionId, "echo only in the source");
  await editor.prompt(forked, "history");
  const told = editor.said("agent_message_chunk");
  expect(told.slice(told.lastIndexOf("only in the source"))).toContain("before the fork");
});

test("an editor that comes back in the middle of a turn is told the rest of it and asked what it waits for", async () => {
  const serve = await startDaemonProcess(["--port", "0", "--no-token", "--data-dir", `${folder.path}/middle`], {
    HOME: folder.path,
  });
  onTestFinished(async () => void (await serve.stop()));
  const first = await open("middle", [], { onPermission: () => new Promise(() => {}) });
  const { sessionId } = await first.begin();
  void first.prompt(sessionId, "permission touch a").catch(() => {});
  await first.until(() => first.asked > 0);
  await first.leave();

  const second = await open("middle", [], {
    onPermission: () => ({ outcome: { outcome: "selected", optionId: "once" } }),
  });
  await second.agent.request(acp.methods.agent.session.load, { sessionId, cwd: folder.path, mcpServers: [] });
  await second.until(() => second.said("agent_message_chunk").includes("I was allowed to: touch a"));
  expect(second.asked).toBe(1);
  expect(second.said("user_message_chunk")).toBe("permission touch a");
  expect(await second.prompt(sessionId, "echo and on")).toBe("end_turn");
  expect(second.said("user_message_chunk")).toBe("permission touch a");

  // What somebody else says and hears there is told, too.
  await call(serve.url, `sessions/${sessionId}/messages`, { message: "echo from elsewhere" });
  await second.until(() => second.said("agent_message_chunk").endsWith("from elsewhere"));
  expect(second.said("user_message_chunk")).toBe("permission touch aecho from elsewhere");
});

test("cancel takes back a prompt that waits behind another client's turn, which goes on", async () => {
  const serve = await startDaemonProcess(["--port", "0", "--no-token", "--data-dir", `${folder.path}/behind`], {
    HOME: folder.path,
  });
  onTestFinished(async () => void (await serve.stop()));
  const editor = await open("behind");
  const { sessionId } = await editor.begin();
  await call(serve.url, `sessions/${sessionId}/messages`, { message: "slow 1500" });
  await editor.until(() => editor.said("agent_message_chunk").includes("tick"));
  const prompt = editor.prompt(sessionId, "echo never said");
  await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  expect(await prompt).toBe("cancelled");
  expect(await editor.prompt(sessionId, "echo next")).toBe("end_turn");
  expect(editor.said("agent_message_chunk")).toMatch(/^(tick )+next$/);

  // Cancelled before the daemon has heard of it.
  const hasty = editor.prompt(sessionId, "slow 60000");
  await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  expect(await hasty).toBe("cancelled");
});

test("modes and config options are the agent's: mode, model, effort, permissions", async () => {
  const editor = await open("settings");
  const { sessionId, modes, configOptions } = await editor.begin();
  expect(modes).toMatchObject({ currentModeId: "build", availableModes: [{ id: "build" }, { id: "plan" }] });
  expect(configOptions?.map(({ id }) => id)).toEqual(["model", "permissionMode"]);
  const set = (configId: string, value: string) =>
    editor.agent.request(acp.methods.agent.session.setConfigOption, { sessionId, configId, value });
  const changed = await set("model", "mock-large");
  expect(changed.configOptions).toContainEqual(expect.objectContaining({ id: "model", currentValue: "mock-large" }));
  expect(changed.configOptions.map(({ id }) => id)).toEqual(["model", "variant", "permissionMode"]);
  // Nobody has set an effort, so none is shown; it can be left so, and once one is set it is the one in force.
  const unset = changed.configOptions.find(({ id }) => id === "variant") as acp.SessionConfigOption & Select;
  expect(unset.options[0]).toEqual({ value: unset.currentValue, name: "Not set" });
  expect(await set("variant", unset.currentValue)).toEqual(changed);
  const low = (await set("variant", "low")).configOptions.find(({ id }) => id === "variant");
  expect(low).toMatchObject({ currentValue: "low", options: unset.options.slice(1) });
  await set("permissionMode", "bypass");
  const mode = await editor.agent.request(acp.methods.agent.session.setMode, { sessionId, modeId: "plan" });
  expect(mode).toEqual({});
  await editor.prompt(sessionId, "settings");
  expect(editor.said("agent_message_chunk")).toContain("model mock-large, mode plan");
  expect(editor.said("agent_message_chunk")).toContain("permissions bypass");
  await expect(set("colour", "red")).rejects.toThrow("There is no option colour");
});

type Select = { currentValue: string; options: { value: string; name: string }[] };

test("a sign-in by a method that was not offered is an error", async () => {
  const editor = await open("sign-in");
  const request = editor.agent.request(acp.methods.agent.authenticate, { methodId: "magic" });
  await expect(request).rejects.toMatchObject({ code: -32602, message: "There is no authentication method magic" });
});

test("a key from a file is given again to a session that another process has begun; without it the remedy is told", async () => {
  const key = join(folder.path, "mock-key");
  await writeFile(key, "a key of nobody");
  const secret = ["--agent-token-file", key, "--env", '{"MOCK_SECRET_TOKEN":"also-secret-000"}'];
  const first = await open("keys", secret);
  const { sessionId } = await first.begin();
  expect(await first.prompt(sessionId, "echo one")).toBe("end_turn");
  await first.leave();
  const where = { sessionId, cwd: folder.path, mcpServers: [] };

  const keyless = await open("keys");
  await keyless.agent.request(acp.methods.agent.session.load, where);
  await expect(keyless.prompt(sessionId, "echo two")).rejects.toMatchObject({
    code: -32000,
    message: expect.stringContaining("start this command with --agent-token-file or --env again"),
  });
  await keyless.leave();

  for (const method of [acp.methods.agent.session.load, acp.methods.agent.session.resume] as const) {
    const again = await open("keys", secret);
    await again.agent.request(method, where);
    expect(await again.prompt(sessionId, "echo three")).toBe("end_turn");
    await again.leave();
  }
  const unopened = await open("keys", secret);
  expect(await unopened.prompt(sessionId, "echo four")).toBe("end_turn");
});

test("a question is a form where the editor has forms, else options; a plan is approved by options", async () => {
  const forms: acp.CreateElicitationRequest[] = [];
  let own = "";
  const editor = await open("question", [], {
    capabilities: { elicitation: { form: {} } },
    onForm: (request) => {
      forms.push(request);
      const { properties = {} } =
        "requestedSchema" in request ? (request.requestedSchema as acp.ElicitationSchema) : {};
      const content = Object.fromEntries(
        Object.entries(properties).map(([id, { type }]) => [id, type === "array" ? ["Red"] : "Blue"]),
      );
      const words = Object.keys(properties).find((id) => id.endsWith("(own words)"));
      if (words !== undefined) content[words] = own;
      return { action: "accept", content };
    },
  });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "question")).toBe("end_turn");
  expect(forms).toMatchObject([{ mode: "form", sessionId, message: expect.any(String) }]);
  expect(editor.said("agent_message_chunk")).toContain("You answered: Blue");
  // A question that also takes own words keeps its options; the words have a field beside them.
  const [form] = forms as { requestedSchema?: acp.ElicitationSchema }[];
  expect(Object.values(form?.requestedSchema?.properties ?? {})).toMatchObject([
    { type: "string", title: "Colour", oneOf: [{ const: "Red", description: "like a brick" }, { const: "Blue" }] },
    { type: "string", title: "Colour: own words" },
  ]);
  own = "mauve";
  expect(await editor.prompt(sessionId, "question")).toBe("end_turn");
  expect(editor.said("agent_message_chunk")).toContain("You answered: mauve");

  const picks: acp.RequestPermissionRequest[] = [];
  const plain = await open("question", [], {
    onPermission: (request) => {
      picks.push(request);
      return { outcome: { outcome: "selected", optionId: request.options[0]?.optionId ?? "" } };
    },
  });
  const other = await plain.begin();
  expect(await plain.prompt(other.sessionId, "question")).toBe("end_turn");
  expect(plain.said("agent_message_chunk")).toContain("You answered: Red");
  await plain.agent.request(acp.methods.agent.session.setMode, { sessionId: other.sessionId, modeId: "plan" });
  expect(await plain.prompt(other.sessionId, "plan")).toBe("end_turn");
  expect(picks.at(-1)).toMatchObject({
    toolCall: { kind: "switch_mode", content: [{ type: "content" }] },
    options: [{ optionId: "approve" }, { optionId: "approve_edits" }, { optionId: "reject" }],
  });
});

test("what fails is an error with its reason, and the session goes on", async () => {
  const editor = await open("failing");
  const { sessionId } = await editor.begin();
  await expect(editor.prompt(sessionId, "error")).rejects.toThrow("provider_error: The pretended provider failed");
  expect(await editor.prompt(sessionId, "echo still here")).toBe("end_turn");
  await expect(editor.agent.request("muster/nothing" as never, {} as never)).rejects.toThrow(
    "There is no muster/nothing",
  );
  const nobody = { sessionId: "nobody", cwd: folder.path, mcpServers: [] };
  await expect(editor.agent.request(acp.methods.agent.session.load, nobody)).rejects.toThrow("nobody");
});

async function call(url: string, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { ok } = await fetch(`${url}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(ok).toBe(true);
}

test("a real agent on a scripted model: thoughts, a permission, the command, cancel, and its history", async () => {
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
  const turns = [
    {
      reasoning: "A file is wanted.",
      text: "I make it.",
      tools: [{ name: "run_command", input: { command: "touch made-by-editor.txt" } }],
    },
    { text: "It is made." },
    { text: "I wait.", tools: [{ name: "run_command", input: { command: "sleep 600" } }] },
  ];
  const llm = await startScriptedLlm({ script: { conversations: [asides, { turns }] } });
  onTestFinished(() => llm.close());
  const key = join(folder.path, "key");
  await writeFile(key, "sk-ant-test-000");
  const agent = ["--agent", "codebuff", "--base-url", llm.url, "--agent-token-file", key];
  const editor = await open("real", agent, {
    onPermission: () => ({ outcome: { outcome: "selected", optionId: "once" } }),
  });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "Make a file.")).toBe("end_turn");
  expect(editor.said("agent_thought_chunk")).toContain("A file is wanted.");
  expect(editor.said("agent_message_chunk")).toBe("I make it.It is made.");
  expect(editor.asked).toBe(1);
  expect(existsSync(join(folder.path, "made-by-editor.txt"))).toBe(true);
  const waiting = editor.prompt(sessionId, "Wait.");
  await editor.until(() => editor.of("tool_call").length > 1);
  await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  expect(await waiting).toBe("cancelled");
  await editor.leave();

  const again = await open("real", agent);
  await again.agent.request(acp.methods.agent.session.load, { sessionId, cwd: folder.path, mcpServers: [] });
  expect(again.said("user_message_chunk")).toBe("Make a file.Wait.");
  expect(again.said("agent_message_chunk")).toBe("I make it.It is made.I wait.");
});

function open(data: string, args: string[] = [], options: Omit<EditorOptions, "folder"> = {}) {
  return openEditor(data, args, { folder: folder.path, ...options });
}
