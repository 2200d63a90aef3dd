import { type Operation, operationIds, operations } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { sharedOptions } from "../commands/operation-command.ts";
import { optionsOf } from "./field-options.ts";
import { fieldsOf, positionalsOf, trailingFieldOf } from "./operation-fields.ts";

const field = (id: keyof typeof operations, name: string) =>
  fieldsOf(operations[id]).find((candidate) => candidate.name === name);

describe("fieldsOf", () => {
  it("reads kind, choices, description and need from the schemas", () => {
    expect(field("sessions.create", "permissionMode")).toEqual({
      name: "permissionMode",
      part: "body",
      flag: "permission-mode",
      kind: "string",
      repeatable: false,
      required: false,
      choices: ["default", "acceptEdits", "plan", "bypass"],
      description: expect.stringContaining("bypass asks nothing"),
    });
    expect(field("sessions.getEvents", "offset")).toMatchObject({ part: "query", kind: "number", required: false });
    expect(field("sessions.getEvents", "raw")).toMatchObject({ part: "query", kind: "boolean" });
    expect(field("sessions.create", "limits")).toMatchObject({ kind: "json", repeatable: false });
    expect(field("sessions.sendMessage", "attachments")).toMatchObject({ kind: "json", repeatable: true });
    expect(field("sessions.replyQuestion", "answers")).toMatchObject({
      kind: "json",
      repeatable: true,
      required: true,
    });
    expect(field("sessions.create", "agent")).toMatchObject({ kind: "string", required: true });
  });

  it("gives a field that would meet a shared option its own name", () => {
    expect(field("sessions.create", "token")?.flag).toBe("agent-token");
    expect(field("agents.install", "version")?.flag).toBe("agent-version");
  });

  it("finds the one required plain field that can be typed last", () => {
    const trailing = (id: keyof typeof operations) => trailingFieldOf(fieldsOf(operations[id]))?.name;
    expect(trailing("sessions.sendMessage")).toBe("message");
    expect(trailing("sessions.streamMessage")).toBe("message");
    expect(trailing("sessions.create")).toBe("agent");
    expect(trailing("sessions.replyPermission")).toBe("reply");
    expect(trailing("sessions.replyQuestion")).toBeUndefined();
    expect(trailing("sessions.rejectQuestion")).toBeUndefined();
  });
});

describe("the operations table as commands", () => {
  it.each(operationIds)("%s: no option, argument or field collides with another", (id) => {
    const operation: Operation = operations[id];
    const fields = fieldsOf(operation);
    const flags = fields.flatMap(optionsOf).map(({ long }) => long);
    const shared = sharedOptions(operation, true).map(({ long }) => long);
    const all = [...flags, ...shared, "--help", "--version"];
    expect(all).toEqual([...new Set(all)]);
    const names = [...positionalsOf(operation), ...fields.map(({ name }) => name)];
    expect(names).toEqual([...new Set(names)]);
    expect(positionalsOf(operation)).toEqual(Object.keys(operation.params.shape));
  });

  it("no two commands have the same words, none is also a group, and none is called serve or help", () => {
    const words = operationIds.map((id) => operations[id].cli.join(" "));
    expect(words).toEqual([...new Set(words)]);
    const groups = new Set<string>(
      operationIds.flatMap((id) => (operations[id].cli.length > 1 ? [operations[id].cli[0]] : [])),
    );
    expect(words.filter((word) => groups.has(word) || word === "serve" || word === "help")).toEqual([]);
  });
});
