import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as acp from "@agentclientprotocol/sdk";
import { expect, onTestFinished } from "vitest";

/** The official client of the protocol drives the real command over real pipes. */
const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));

export interface EditorOptions {
  /** Where the daemon of the editor keeps its sessions, and the home of its agent. */
  folder: string;
  env?: Record<string, string>;
  capabilities?: acp.ClientCapabilities;
  onPermission?(
    request: acp.RequestPermissionRequest,
  ): acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse>;
  onForm?(request: acp.CreateElicitationRequest): acp.CreateElicitationResponse;
}

type Update<Name extends acp.SessionUpdate["sessionUpdate"]> = Extract<acp.SessionUpdate, { sessionUpdate: Name }>;

/** An editor that has started the command and said hello. */
export async function openEditor(data: string, args: string[], options: EditorOptions) {
  const { folder } = options;
  const child = spawn(
    process.execPath,
    [bin, "acp", ...(args.includes("--agent") ? [] : ["--agent", "mock"]), "--data-dir", `${folder}/${data}`, ...args],
    {
      env: { PATH: process.env.PATH, HOME: folder, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const exit = once(child, "exit");
  const err = text(child.stderr);
  const updates: acp.SessionUpdate[] = [];
  let asked = 0;
  let woken = () => {};
  const app = acp
    .client({ name: "an editor" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      woken();
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      asked++;
      woken();
      if (options.onPermission === undefined) throw new Error("Nobody is here");
      return options.onPermission(params);
    })
    .onRequest(acp.methods.client.elicitation.create, ({ params }) => {
      if (options.onForm === undefined) throw new Error("Nobody is here");
      return options.onForm(params);
    });
  const stream = acp.ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
  );
  const { agent } = app.connect(stream);
  const leave = async () => {
    child.stdin.end();
    expect({ exit: await exit, err: await err }).toEqual({ exit: [0, null], err: "" });
  };
  onTestFinished(async () => {
    if (child.exitCode === null) await leave();
  });
  const hello = { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: options.capabilities ?? {} };
  const answer = await agent.request(acp.methods.agent.initialize, hello);
  expect(answer).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const of = <Name extends acp.SessionUpdate["sessionUpdate"]>(name: Name) =>
    updates.filter((update): update is Update<Name> => update.sessionUpdate === name);
  return {
    agent,
    of,
    leave,
    get asked() {
      return asked;
    },
    said: (name: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk") =>
      of(name)
        .map(({ content }) => (content.type === "text" ? content.text : ""))
        .join(""),
    begin: () => agent.request(acp.methods.agent.session.new, { cwd: folder, mcpServers: [] }),
    /** A draft of the protocol: its library has no name for it yet. */
    fork: (sessionId: string) =>
      agent.request<acp.NewSessionResponse>("session/fork", { sessionId, cwd: folder, mcpServers: [] }),
    async prompt(sessionId: string, said: string) {
      const request = { sessionId, prompt: [{ type: "text" as const, text: said }] };
      return (await agent.request<acp.PromptResponse>(acp.methods.agent.session.prompt, request)).stopReason;
    },
    async until(isTrue: () => boolean) {
      while (!isTrue()) {
        await new Promise<void>((resolve) => {
          woken = resolve;
        });
      }
    },
  };
}
