import { type OperationId, operations } from "@muster/schema";
import { expect } from "vitest";
import { all } from "./conversations.ts";
import { take } from "./readings.ts";
import type { Case } from "./suite.ts";

/** What the client reads by itself; the AI SDK's streams are not for people. */
const ours = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].answer !== "ui");

/** Every operation is a method. */
export function operationCases({ inSession }: Case): void {
  inSession(
    "every operation of the table is called by its name and answers what its schema says",
    async (client, session) => {
      const { id: sessionId } = session;
      await client.call("ask", { session, text: "echo hello" });
      const asked = (text: string) => client.call("queue", { session, text });
      const waiting = async (kind: "permission" | "question") => {
        await asked(kind);
        for await (const event of client.stream("events", { session, after: last })) {
          last = event.sequence;
          if (event.type === "permission.requested") return event.data.permissionId;
          if (event.type === "question.requested") return event.data.questionId;
        }
        return undefined;
      };
      let last = 0;
      const processes = async (owner: string) => {
        const run = await call("processes.run", { command: "echo", args: ["ran"], owner });
        expect(run).toMatchObject({ stdout: "ran\n", stderr: "", truncated: false, end: { exitCode: 0 } });
        const processId = `p-${Math.random().toString(36).slice(2)}`;
        await call("processes.start", { processId, command: "cat", pty: { columns: 80, rows: 24 }, owner });
        await call("processes.list", { owner });
        for (const id of ["processes.get", "processes.ports", "terminals.screen"] as const)
          await call(id, { processId });
        await call("processes.wait", { processId, timeoutMs: 1 });
        await call("processes.resize", { processId, columns: 100, rows: 30 });
        await call("processes.input", { processId, text: "typed\r", end: true });
        await call("processes.signal", { processId, signal: "SIGCONT" });
        const written = await all(client.stream("operation", { id: "processes.streamLogs", fields: { processId } }));
        expect(written.at(-1)).toMatchObject({ type: "ended", reason: "exited" });
        called.add("processes.streamLogs");
        await call("processes.getLogs", { processId, offset: 1, text: true });
        await call("terminals.recording", { processId });
        await call("processes.end", { processId });
        await call("processes.delete", { processId });
      };
      const called = new Set<OperationId>();
      const call = async (id: OperationId, fields: Record<string, unknown> = {}) => {
        const value = await client.call("operation", { id, fields });
        const operation = operations[id];
        if ("response" in operation) operation.response.parse(value);
        called.add(id);
        return value;
      };
      for (const id of ["health", "info", "openapi", "metrics", "agents.list", "credentials.list"] as const)
        await call(id);
      const { ticket } = (await call("tickets.create", { use: "page" })) as { ticket: string };
      await call("tickets.redeem", { ticket });
      const { tokenId } = (await call("tokens.create", { scope: "answer", agents: ["mock"] })) as { tokenId: string };
      await call("tokens.list");
      await call("tokens.revoke", { tokenId });
      for (const id of ["agents.get", "agents.listModels", "agents.listModes"] as const)
        await call(id, { agent: "mock" });
      await call("agents.install", { agent: "mock" });
      await call("agents.uninstall", { agent: "amp" });
      await call("sessions.create", { ...session.options, sessionId });
      await call("sessions.list", { limit: 5, order: "updated" });
      for (const id of ["get", "usage", "getMessages", "listRequests", "terminate"] as const) {
        await call(`sessions.${id}`, { sessionId });
      }
      await call("sessions.update", { sessionId, title: "T" });
      await call("sessions.getEvents", { sessionId, offset: 1, limit: 2 });
      await call("sessions.replyPermission", { sessionId, permissionId: await waiting("permission"), reply: "once" });
      await call("sessions.replyQuestion", { sessionId, questionId: await waiting("question"), answers: [["Red"]] });
      await call("sessions.rejectQuestion", { sessionId, questionId: await waiting("question"), message: "no" });
      const attachments = [{ data: "aGVsbG8=", mime: "text/plain", filename: "hello.txt" }];
      await call("sessions.sendMessage", { sessionId, message: "echo with a file", attachments });
      const events = JSON.stringify(await call("sessions.getEvents", { sessionId }));
      const attachment = /attachments\/([0-9a-f]+-\d+)/.exec(events)?.[1];
      expect(await call("sessions.getAttachment", { sessionId, attachment })).toEqual({ size: 5, data: "aGVsbG8=" });
      await call("sessions.sendMessage", { sessionId, message: "slow 60000" });
      await call("sessions.sendMessage", { sessionId, message: "echo never", messageId: "never" });
      await call("sessions.cancelMessage", { sessionId, messageId: "never" });
      await call("sessions.interrupt", { sessionId, queue: "cancel" });
      const streamed = { id: "sessions.streamMessage", fields: { sessionId, message: "echo streamed" } };
      expect((await all(client.stream("operation", streamed))).at(-1)?.type).toBe("turn.ended");
      await take(client.stream("operation", { id: "sessions.streamEvents", fields: { sessionId } }), 5);
      await take(client.stream("operation", { id: "events.stream", fields: { sessions: `${sessionId}:1` } }), 5);
      for (const id of ["sessions.streamMessage", "sessions.streamEvents", "events.stream"] as const) called.add(id);
      await call("ui.getMessages", { sessionId });
      await processes(sessionId);
      await callTimeMachine({ call, session: sessionId });
      called.add("sessions.handOver");
      await callFiles({ call, session: sessionId });
      const changes = client.stream("operation", { id: "files.watch", fields: { session: sessionId } });
      expect(await take(changes, 1)).toEqual([{ number: 1, type: "watching" }]);
      called.add("files.watch");
      await call("sessions.delete", { sessionId });
      expect(ours.filter((id) => !called.has(id))).toEqual([]);
    },
  );
}

interface FileCalls {
  call(id: OperationId, fields: Record<string, unknown>): Promise<unknown>;
  readonly session: string;
}

/** Every operation of the time machine, on a conversation that has turns. */
async function callTimeMachine({ call, session: sessionId }: FileCalls): Promise<void> {
  await call("sessions.changes", { sessionId, from: 0, to: 1 });
  const { undo } = (await call("sessions.rewind", { sessionId, to: 1, chat: true })) as { undo: string };
  await call("sessions.undoRewind", { sessionId, undo });
  const forked = (await call("sessions.fork", { sourceId: sessionId, at: 1 })) as Forked;
  const [fork] = forked.sessions;
  await call("sessions.delete", { sessionId: fork?.session.sessionId });
  // To the agent that works in it already: a hand-over to another needs its program and its key.
  await expect(call("sessions.handOver", { sessionId, agent: "mock" })).rejects.toThrow(
    "mock works in the session already",
  );
}

interface Forked {
  sessions: { session: { sessionId: string } }[];
}

/** Every operation of files but the stream, on one small tree. Drivers tell bytes as `{ status, text }`. */
async function callFiles({ call, session }: FileCalls): Promise<void> {
  const at = { session };
  const folder = `files of ${session}`;
  await call("files.makeDirectory", { ...at, path: folder });
  const path = `${folder}/a`;
  const content = "hello from the client";
  const { etag } = (await call("files.write", { ...at, path, content, ifNoneMatch: "*" })) as { etag: string };
  expect(await call("files.stat", { ...at, path })).toMatchObject({ type: "file", size: content.length, etag });
  expect(await call("files.read", { ...at, path })).toEqual({ status: 200, text: content });
  expect(await call("files.read", { ...at, path, range: "bytes=0-4" })).toEqual({ status: 206, text: "hello" });
  expect(await call("files.read", { ...at, path, ifNoneMatch: etag })).toEqual({ status: 304, text: "" });
  await call("files.append", { ...at, path, content: ", twice" });
  await call("files.copy", { ...at, from: path, to: `${folder}/b` });
  await call("files.move", { ...at, from: `${folder}/b`, to: `${folder}/c` });
  expect(await call("files.list", { ...at, path: folder })).toMatchObject({ entries: [{ path: "a" }, { path: "c" }] });
  expect(await call("files.search", { ...at, path: folder, query: "twice" })).toMatchObject({
    matches: [{ path: "a" }, { path: "c" }],
  });
  const tree = (await call("files.download", { ...at, path: folder })) as { text: string };
  await call("files.upload", { ...at, path: `${folder}/again`, content: tree.text });
  expect(await call("files.read", { ...at, path: `${folder}/again/c` })).toMatchObject({ text: `${content}, twice` });
  await call("files.delete", { ...at, path: folder, recursive: true });
}
