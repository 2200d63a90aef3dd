import { describe, expect, test } from "vitest";
import { life, types } from "../../../test/claude-life.ts";

describe("requests", () => {
  const ask = (request: Record<string, unknown>) => ({ type: "control_request", request_id: "r1", request });

  test("of a kind nobody knows are refused at once, so that Claude does not wait", () => {
    const { say, replies } = life();
    expect(types(say(ask({ subtype: "hook_callback" })))).toEqual(["agent.unparsed"]);
    expect(replies).toMatchObject([{ type: "control_response", response: { subtype: "error", request_id: "r1" } }]);
  });

  test("for a file are for that file wherever Claude has gone since: always is not for its namesake", () => {
    const { say } = life();
    const edit = (file_path: string) =>
      say(ask({ subtype: "can_use_tool", tool_name: "Write", input: { file_path, content: "x" } }));
    say({ type: "system", subtype: "init", cwd: "/w" });
    expect(edit("/w/a.txt")).toMatchObject([{ data: { alwaysScope: [{ pattern: "a.txt" }] } }]);
    say({ type: "system", subtype: "init", cwd: "/w/sub" });
    expect(edit("/w/sub/a.txt")).toMatchObject([{ data: { alwaysScope: [{ pattern: "sub/a.txt" }] } }]);
  });

  test("to change something are refused while Claude plans", () => {
    const { say, replies } = life();
    say({ type: "system", subtype: "status", permissionMode: "plan" });
    const write = { subtype: "can_use_tool", tool_name: "Write", input: { file_path: "/a", content: "x" } };
    expect(say(ask(write))).toMatchObject([
      { type: "permission.decided", data: { decision: "reject", action: "edit" } },
    ]);
    expect(replies).toMatchObject([{ response: { response: { behavior: "deny" } } }]);
    expect(types(say(ask({ ...write, tool_name: "WebFetch", input: { url: "http://a" } })))).toEqual([
      "permission.asked",
    ]);
  });

  test("of an MCP server are questions, and the answers have the types of its form", () => {
    const { say, tell, replies } = life();
    const requested_schema = {
      properties: { count: { type: "integer", title: "How many?" }, sure: { type: "boolean" } },
    };
    const asked = say(ask({ subtype: "elicitation", mcp_server_name: "shop", message: "An order", requested_schema }));
    expect(asked).toMatchObject([
      {
        type: "question.asked",
        data: { questions: [{ id: "count", type: "number", body: "An order" }, { type: "boolean" }] },
      },
    ]);
    tell({ type: "question", requestKey: "r1", answers: [["3"], ["true"]] });
    expect(replies).toMatchObject([
      { response: { response: { action: "accept", content: { count: 3, sure: true } } } },
    ]);
  });

  test("an edited plan is what is approved", () => {
    const { say, tell, replies } = life();
    say(ask({ subtype: "can_use_tool", tool_name: "ExitPlanMode", input: { plan: "long", planFilePath: "/p" } }));
    tell({ type: "question", requestKey: "r1", answers: [["approve"]], editedText: "short" });
    expect(replies).toMatchObject([
      { response: { response: { behavior: "allow", updatedInput: { plan: "short", planFilePath: "/p" } } } },
    ]);
  });

  test("for always never cover a command that is to run in another way", () => {
    const scope = (input: Record<string, unknown>) => {
      const [asked] = life().say(ask({ subtype: "can_use_tool", tool_name: "Bash", input }));
      return asked?.type === "permission.asked" ? asked.data.alwaysScope : undefined;
    };
    const plain = scope({ command: "ls", description: "List", timeout: 5 });
    expect(plain).toEqual([{ action: "execute", pattern: "ls" }]);
    expect(scope({ command: "ls", dangerouslyDisableSandbox: true })).not.toEqual(plain);
  });

  test("bypass that Claude was not started with is left to the engine", () => {
    const { say, tell, replies } = life();
    tell({ type: "update", permissionMode: "bypass" });
    const refused = { subtype: "error", request_id: "muster_1", error: "no", error_code: "bypass_not_launched" };
    expect(say({ type: "control_response", response: refused })).toEqual([]);
    expect(replies.at(-1)).toMatchObject({ request: { subtype: "set_permission_mode", mode: "acceptEdits" } });
    expect(say({ type: "system", subtype: "status", permissionMode: "acceptEdits" })).toEqual([]);
  });

  test("for a model Claude does not have are refused, and the model stays what it was", () => {
    const { say, tell, replies } = life();
    const response = { commands: [], models: [{ value: "sonnet" }] };
    say({ type: "control_response", response: { subtype: "success", request_id: "initialize", response } });
    say({ type: "system", subtype: "init", model: "claude-sonnet-5-5" });
    expect(tell({ type: "update", model: "gigantic" })).toMatchObject([
      { type: "error", data: { code: "model_not_found" } },
      { type: "session.updated", data: { model: "claude-sonnet-5-5" } },
    ]);
    expect(replies).toEqual([]);
  });

  test("to bypass while it plans end the planning, also where the engine has to keep the bypass", () => {
    const { say, tell } = life();
    say({ type: "system", subtype: "status", permissionMode: "plan" });
    tell({ type: "update", permissionMode: "bypass" });
    const refused = { subtype: "error", request_id: "muster_1", error: "no", error_code: "bypass_not_launched" };
    say({ type: "control_response", response: refused });
    const write = { subtype: "can_use_tool", tool_name: "Write", input: { file_path: "/a", content: "x" } };
    expect(types(say(ask(write)))).toEqual(["permission.asked"]);
  });
});
