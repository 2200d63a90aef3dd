import { expect, it } from "vitest";
import { ToldError } from "./driver.ts";
import type { Case } from "./suite.ts";

/** Problems, turns that do not complete, readings that are left. */
export function failureCases({ inSession, driver, mock, newId }: Case): void {
  it("a problem of the daemon has its code and status", async () => {
    const client = await driver();
    const operation = (id: string, fields: object) => client.call("operation", { id, fields: { ...fields } });
    await expect(operation("sessions.get", { sessionId: "nobody" })).rejects.toMatchObject(
      failure("session_not_found", 404),
    );
    await expect(operation("agents.get", { agent: "nobody" })).rejects.toMatchObject(failure("unsupported_agent", 400));
    const wrong = { session: { id: newId(), options: { ...mock(), agent: "nobody" } }, text: "echo" };
    await expect(client.call("ask", wrong)).rejects.toMatchObject(failure("unsupported_agent", 400));
    const missing = { session: { id: newId() }, text: "echo" };
    await expect(client.call("ask", missing)).rejects.toMatchObject(failure("session_not_found", 404));
    await expect(operation("sessions.list", { order: "sideways" })).rejects.toMatchObject(
      failure("invalid_request", 400),
    );
  });

  inSession("a busy session refuses a message that must not wait", async (client, session) => {
    for await (const event of client.stream("prompt", { session, text: "slow 60000" })) {
      if (event.type !== "turn.started") continue;
      const refused = client.call("ask", { session, text: "echo", options: { delivery: "reject" } });
      await expect(refused).rejects.toMatchObject(failure("session_busy", 409));
      await client.call("interrupt", { session });
    }
  });

  inSession("ask throws when the turn does not complete, and tells why", async (client, session) => {
    await expect(client.call("ask", { session, text: "crash" })).rejects.toMatchObject({
      told: { name: "TurnFailed", status: "failed", code: "agent_exited" },
    });
    const asking = client.call("ask", { session, text: "slow 60000" }).catch((error: ToldError) => error.told);
    for await (const event of client.stream("events", { session, after: 0 })) {
      const isOpen = event.type === "turn.started" && event.data.turnId === "turn_2";
      if (isOpen) break;
    }
    await client.call("interrupt", { session });
    expect(await asking).toMatchObject({ name: "TurnFailed", status: "interrupted", code: "interrupted_by_user" });
  });

  inSession("a message that is cancelled before its turn never has one", async (client, session) => {
    for await (const event of client.stream("prompt", { session, text: "slow 60000" })) {
      if (event.type !== "turn.started") continue;
      const asking = client.call("ask", { session, text: "echo", options: { messageId: "late" } });
      const told = asking.catch((error: ToldError) => error.told);
      for await (const { type, data } of client.stream("events", { session })) {
        if (type === "message.updated" && data.messageId === "late") break;
      }
      const fields = { sessionId: session.id, messageId: "late" };
      await client.call("operation", { id: "sessions.cancelMessage", fields });
      expect(await told).toMatchObject({ name: "TurnFailed", status: "cancelled" });
      await client.call("interrupt", { session });
    }
  });

  inSession("who leaves a turn does not interrupt it", async (client, session) => {
    for await (const event of client.stream("prompt", { session, text: "slow 300" })) {
      if (event.type === "turn.started") break;
    }
    for await (const event of client.stream("events", { session })) {
      if (event.type !== "turn.ended") continue;
      expect(event.data.status).toBe("completed");
      break;
    }
  });

  inSession("a reading ends when it is aborted", async (client, session) => {
    await client.call("ask", { session, text: "echo hello" });
    const leave = new AbortController();
    const reading = client.stream("events", { session }, leave.signal);
    for (;;) if ((await reading.next()).value?.type === "turn.ended") break;
    const next = reading.next().catch((error: unknown) => error);
    leave.abort();
    const end = await next;
    // Where reading is blocking nobody can throw into it: it ends.
    if (end instanceof ToldError) expect(end.told).toEqual({ name: "Aborted" });
    else expect(end).toMatchObject({ done: true });
  });
}

function failure(code: string, status: number) {
  return { told: { name: "Failure", code, status } };
}
