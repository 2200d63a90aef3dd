import { withEntry, withoutEntry } from "@muster/core";
import { AllowedPrompt, type Question } from "@muster/schema";
import { z } from "zod";
import { planQuestion } from "../../converter/plan-approval.ts";
import { addItem, addStatus, chain, emit } from "../../converter/steps.ts";
import { readQuestion } from "../../converter/tools/asked-question.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { PermissionAsked } from "../../signals.ts";
import { AskedQuestion, CanUseTool, type ControlRequestLine, Elicitation } from "../wire/native.ts";
import type { Asked, ClaudeState, ClaudeStep } from "../wire/state.ts";
import { permissionFor } from "../wire/tools.ts";

/** Claude wants something of us. What we do not know is refused at once, so that it does not wait for ever. */
export function onControlRequest(state: ClaudeState, line: ControlRequestLine): ClaudeStep {
  const { request_id: requestKey, request } = line;
  switch (request.subtype) {
    case "can_use_tool": {
      const asked = CanUseTool.safeParse(request);
      return asked.success ? askForTool(state, requestKey, asked.data) : refuse(state, line);
    }
    case "elicitation": {
      const asked = Elicitation.safeParse(request);
      return asked.success ? askForm(state, requestKey, asked.data) : refuse(state, line);
    }
    // Dialogs of kinds we did not declare are only told of; Claude goes on without an answer.
    case "request_user_dialog":
      return addStatus(state, { label: "dialog", detail: JSON.stringify(request) });
    default:
      return refuse(state, line);
  }
}

/** Claude no longer waits for the answer. */
export function onControlCancel(state: ClaudeState, requestKey: string): ClaudeStep {
  if (!state.asked.has(requestKey)) return emit(state);
  return emit(
    { ...state, asked: withoutEntry(state.asked, requestKey) },
    { type: "request.withdrawn", data: { requestKey } },
  );
}

function refuse(state: ClaudeState, line: ControlRequestLine): ClaudeStep {
  const error = `Unsupported control request subtype: ${line.request.subtype}`;
  return {
    state,
    bodies: [unparsed(line, error, "claude")],
    replies: [{ type: "control_response", response: { subtype: "error", request_id: line.request_id, error } }],
  };
}

function askForTool(state: ClaudeState, requestKey: string, request: CanUseTool): ClaudeStep {
  const itemId = request.tool_use_id ? state.calls.get(request.tool_use_id)?.itemId : undefined;
  if (request.tool_name === "AskUserQuestion") {
    const questions = z.array(AskedQuestion).min(1).safeParse(request.input.questions);
    if (questions.success) return askQuestions(state, requestKey, request.input, questions.data, itemId);
  }
  if (request.tool_name === "ExitPlanMode") return askForPlan(state, requestKey, request, itemId);
  const { detail, ...about } = permissionFor(request.tool_name, request.input, state.directory);
  const reason = request.decision_reason ?? request.description ?? undefined;
  const data = { requestKey, ...about, detail: { ...detail, reason }, itemId };
  if (state.permissionMode === "plan" && (about.action === "edit" || about.action === "execute")) {
    return denyByPlan(state, data);
  }
  return emit(rememberRequest(state, requestKey, { about: "permission", input: request.input }), {
    type: "permission.asked",
    data,
  });
}

/** While it plans nothing may change. Claude would ask, and an earlier `always` would say yes. */
function denyByPlan(state: ClaudeState, asked: PermissionAsked): ClaudeStep {
  const message = "Plan mode: nothing may be changed before the plan is approved.";
  const response = { behavior: "deny", message };
  return {
    state,
    bodies: [{ type: "permission.decided", data: { ...asked, decision: "reject", message } }],
    replies: [{ type: "control_response", response: { subtype: "success", request_id: asked.requestKey, response } }],
  };
}

function rememberRequest(state: ClaudeState, requestKey: string, asked: Asked): ClaudeState {
  return { ...state, asked: withEntry(state.asked, requestKey, asked) };
}

function askQuestions(
  state: ClaudeState,
  requestKey: string,
  input: Record<string, unknown>,
  questions: readonly AskedQuestion[],
  itemId: string | undefined,
): ClaudeStep {
  return emit(rememberRequest(state, requestKey, { about: "question", input, questions }), {
    type: "question.asked",
    data: { requestKey, kind: "question", itemId, questions: questions.map(readQuestion) },
  });
}

const AllowedPrompts = z.array(AllowedPrompt);

/** Without a plan file the request has no plan; then it is what the model passed, or said just before. */
function askForPlan(
  state: ClaudeState,
  requestKey: string,
  request: CanUseTool,
  itemId: string | undefined,
): ClaudeStep {
  const call = request.tool_use_id ? state.calls.get(request.tool_use_id) : undefined;
  const passed = asInput(call?.input);
  const plan = [request.input.plan, passed.plan].find((text) => typeof text === "string" && text !== "");
  const body = typeof plan === "string" ? plan : state.turn.lastText;
  const prompts = AllowedPrompts.safeParse(request.input.allowedPrompts ?? passed.allowedPrompts);
  const allowedPrompts = prompts.data;
  return chain(
    rememberRequest(state, requestKey, { about: "plan", input: request.input }),
    (before) =>
      addItem(before, {
        kind: "plan",
        role: "assistant",
        status: "completed",
        content: [{ type: "plan", text: body }],
      }),
    (before) =>
      emit(before, {
        type: "question.asked",
        data: {
          requestKey,
          kind: "plan_approval",
          itemId,
          allowedPrompts,
          questions: [planQuestion(body)],
        },
      }),
  );
}

const fieldTypes: Readonly<Record<string, Question["type"]>> = {
  boolean: "boolean",
  number: "number",
  integer: "number",
};

/** The form of an MCP server, one question for each field; a message without a form is a yes or no. */
function askForm(state: ClaudeState, requestKey: string, request: Elicitation): ClaudeStep {
  const properties = Object.entries(request.requested_schema?.properties ?? {});
  const fields = properties.map(([name, schema]) => ({ name, type: fieldTypes[String(schema.type)] ?? "string" }));
  const header = request.mcp_server_name ?? undefined;
  const questions: Question[] = properties.map(([name, schema], index) => ({
    id: name,
    header,
    question: String(schema.title ?? schema.description ?? name),
    body: index === 0 ? request.message : undefined,
    type: fields[index]?.type ?? "string",
    options: Array.isArray(schema.enum)
      ? schema.enum.map((value) => ({ id: String(value), label: String(value) }))
      : [],
    multiSelect: false,
    allowCustom: !Array.isArray(schema.enum),
  }));
  const confirmation: Question = {
    id: "confirm",
    header,
    question: request.message,
    body: request.url ?? undefined,
    type: "boolean",
    options: [],
    multiSelect: false,
    allowCustom: true,
  };
  return emit(rememberRequest(state, requestKey, { about: "elicitation", fields }), {
    type: "question.asked",
    data: { requestKey, kind: "question", questions: questions.length > 0 ? questions : [confirmation] },
  });
}
