import { withEntry, withoutEntry } from "@muster/core";
import { PermissionAction } from "@muster/schema";
import { planQuestion } from "../../converter/plan-approval.ts";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { readQuestion } from "../../converter/tools/asked-question.ts";
import { permissionScope } from "../../converter/tools/permission-scope.ts";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { permissionTitle } from "../../converter/tools/titles.ts";
import { unifiedDiffs } from "../../converter/tools/unified-diff.ts";
import type { AnsweredElsewhere } from "../../signals.ts";
import { AskUserInput, type OutputPart, type PermissionMark, type ToolCallLine } from "../wire/native.ts";
import { type Asked, agentOf, type CodebuffState, type CodebuffStep, parentOf } from "../wire/state.ts";
import { cancelCalls } from "./calls.ts";
import { valuesOf } from "./tool-output.ts";

/** Questions of the model. A call whose input has none is only a call. */
export function askQuestions(state: CodebuffState, { toolCallId, input }: ToolCallLine): CodebuffStep {
  const asked = AskUserInput.safeParse(input);
  if (!asked.success) return emit(state);
  const { questions } = asked.data;
  return emit(remember(state, toolCallId, { about: "question", questions }), {
    type: "question.asked",
    data: {
      requestKey: toolCallId,
      kind: "question",
      itemId: state.calls.get(toolCallId)?.itemId,
      questions: questions.map(readQuestion),
    },
  });
}

/** The plan of PLAN mode, which waits inside its run. */
export function askPlan(state: CodebuffState, line: ToolCallLine, plan: string): CodebuffStep {
  const { toolCallId } = line;
  const itemId = state.calls.get(toolCallId)?.itemId;
  return chain(
    remember(state, toolCallId, { about: "plan" }),
    (before) =>
      addItem(before, {
        parentId: parentOf(before, agentOf(line)),
        kind: "plan",
        role: "assistant",
        status: "completed",
        content: [{ type: "plan", text: plan }],
      }),
    (before) =>
      emit(before, {
        type: "question.asked",
        data: { requestKey: toolCallId, kind: "plan_approval", itemId, questions: [planQuestion(plan)] },
      }),
  );
}

/** A permission is asked like a question; it belongs to the call that needs it and is no item of its own. */
export function askPermission(state: CodebuffState, line: ToolCallLine, mark: PermissionMark): CodebuffStep {
  const { toolCallId: requestKey } = line;
  const call = state.calls.get(mark.toolCallId);
  const data = { requestKey, ...permissionOf(mark, state.directory, call), itemId: call?.itemId };
  const asked = { about: "permission", callId: mark.toolCallId } as const;
  return emit(remember(state, requestKey, asked), { type: "permission.asked", data });
}

/** `call` is what is to be allowed, for what has no command and no paths to be known by. */
function permissionOf(mark: PermissionMark, directory: string | undefined, call?: { name: string; input: unknown }) {
  const action = PermissionAction.safeParse(mark.action).data ?? "other";
  const command = mark.command ?? undefined;
  const paths = mark.paths?.map((path) => shownPath(path, directory));
  const url = mark.url ?? undefined;
  const { tool, input } = action === "mcp" ? { tool: mark.tool ?? call?.name, input: call?.input } : {};
  const isInput = mark.title.startsWith("Type ");
  const title = permissionTitle(action, { command, isInput, paths, url, tool, otherwise: mark.title });
  const named = paths?.map((path) => `${title} ${path}`) ?? [title];
  const otherwise = call === undefined ? named : [`${call.name} ${JSON.stringify(call.input)}`];
  const diff = unifiedDiffs(mark.diff ?? "", directory);
  const detail = { command, paths, diff, url, tool, input, reason: mark.reason ?? undefined };
  return {
    action,
    title,
    detail,
    alwaysScope: permissionScope(action, { command, paths, url, tool, otherwise }),
  };
}

function remember(state: CodebuffState, requestKey: string, asked: Asked): CodebuffState {
  return { ...state, asked: withEntry(state.asked, requestKey, asked) };
}

/** The result of an ask_user call: an answer of ours was taken, or somebody else gave it, or nobody did. */
export function settleAsked(state: CodebuffState, requestKey: string, output: readonly OutputPart[]): CodebuffStep {
  const asked = state.asked.get(requestKey);
  if (asked === undefined) return emit(state);
  const next = { ...state, asked: withoutEntry(state.asked, requestKey) };
  if (asked.isAnswered) return emit(next);
  const elsewhere = answerIn(valuesOf(output)[0]);
  const isDenied = asked.about === "permission" && elsewhere?.status !== "answered";
  return emit(isDenied ? cancelCalls(next, [asked.callId]) : next, {
    type: "request.withdrawn",
    data: { requestKey, elsewhere },
  });
}

/** The answers as a result tells them; skipped and denied are a no. */
export function answerIn(value: unknown): AnsweredElsewhere | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { answers, skipped, decision } = value as Record<string, unknown>;
  if (skipped === true || decision === "deny" || decision === "reject") return { status: "rejected" };
  if (typeof decision === "string") return { status: "answered", answers: [[decision]] };
  if (!Array.isArray(answers)) return undefined;
  return { status: "answered", answers: answers.map(chosenIn) };
}

function chosenIn(answer: unknown): string[] {
  const { selectedOption, selectedOptions, otherText } = (answer ?? {}) as Record<string, unknown>;
  const several = Array.isArray(selectedOptions) ? selectedOptions : [selectedOption];
  return [...several, otherText].filter((one): one is string => typeof one === "string");
}
