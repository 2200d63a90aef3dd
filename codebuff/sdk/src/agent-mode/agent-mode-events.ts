import { agentModeManager } from "@muster/codebuff-agents";
import {
  type AgentModeCall,
  type AgentModeRun,
  type AgentModeServerMessage,
  type AgentOutput,
  errorOutput,
  type FinishStatus,
  isToolName,
  type PrintModeEvent,
  rootAgentName,
  type ToolOutput,
  toolSpec,
} from "@muster/codebuff-protocol";
import {
  type ActionStream,
  costOfRun,
  creditsOf,
  dollarsOf,
  noCost,
  readXmlInput,
  refusalOf,
  XmlCallReader,
  type XmlPiece,
} from "@muster/codebuff-runtime";

interface Speaker {
  readonly sessionId: string;
  readonly agentId: string;
  readonly model: string;
}

const { toolNames } = agentModeManager;
const lastCalls = toolNames.filter((name) => isToolName(name) && toolSpec(name).clientSide);
const subgoalTools = new Set(["add_subgoal", "update_subgoal"]);

/** The messages of agent mode as the events of any other run: text without its calls, calls and results, one finish. */
export class AgentModeEvents {
  readonly #actions: ActionStream;
  readonly #speaker: Speaker;
  #reader = new XmlCallReader(toolNames, lastCalls);
  #step: number | undefined;
  #hasStarted = false;
  #isInBlock = false;
  #subgoals = 0;
  #refused = 0;
  /** Told since the last message was sent: it does not count when that message has to be sent again. */
  #told: { characters: number; toolCallIds: string[] } = { characters: 0, toolCallIds: [] };

  constructor(actions: ActionStream, speaker: Speaker) {
    this.#actions = actions;
    this.#speaker = speaker;
  }

  /** The first event of the run; once it is told, nothing happens. */
  start(messageHistoryLength: number, messageId: string | undefined): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.event({ type: "start", ...this.#speaker, messageHistoryLength, messageId });
  }

  event(chunk: PrintModeEvent): void {
    this.#actions.send({ type: "response-chunk", chunk });
  }

  /** A message goes out: what is told from now on is its answer. */
  beginExchange(): void {
    this.#told = { characters: 0, toolCallIds: [] };
  }

  message(message: AgentModeServerMessage): void {
    switch (message.type) {
      case "agent_response_chunk":
        if (message.step !== this.#step) this.#endResponse();
        this.#step = message.step;
        this.#take(this.#reader.push(message.chunk));
        return;
      case "agent_request_tool_execution":
        this.#endResponse(message.toolCalls.map(({ name }) => name));
        return;
      case "agent_turn_complete":
      case "agent_error":
        this.#endResponse();
        return;
      case "agent_state":
        return;
    }
  }

  /** The connection broke and the same message is sent again: its answer will be told anew. */
  withdraw(): void {
    this.#endResponse();
    const message = "The connection to the server was lost; the last step is done again";
    this.event({
      type: "error",
      code: "withdrawn",
      message,
      fatal: false,
      agentId: rootAgentName,
      ...this.#told,
    });
    this.beginExchange();
  }

  toolCall({ id, name, params }: AgentModeCall): void {
    const event: PrintModeEvent = { type: "tool_call", toolCallId: id, toolName: name, input: params };
    this.event({ ...event, agentId: rootAgentName, includeToolCall: true });
  }

  toolProgress({ id, name }: AgentModeCall, output: string): void {
    this.event({ type: "tool_progress", toolCallId: id, toolName: name, output, agentId: rootAgentName });
  }

  toolResult({ id, name }: Pick<AgentModeCall, "id" | "name">, output: ToolOutput): void {
    this.event({ type: "tool_result", toolCallId: id, toolName: name, output, agentId: rootAgentName });
  }

  finish({ output, status }: { output: AgentOutput; status: FinishStatus }, run: AgentModeRun | undefined): void {
    if (output.type === "error" && status !== "cancelled") {
      const { message, error: code, statusCode } = output;
      this.event({ type: "error", message, code, statusCode, fatal: true });
    }
    const { sessionId, agentId } = this.#speaker;
    const cost = run === undefined ? noCost : costOfRun(run);
    this.event({
      type: "finish",
      sessionId,
      agentId,
      totalCost: creditsOf(cost),
      totalCostUsd: cost.known ? dollarsOf(cost) : undefined,
      costUnknown: cost.known ? undefined : true,
      costEstimated: cost.estimated,
      status,
      steps: run?.steps ?? 0,
    });
  }

  /** A call that stands open at the end was cut by its provider's stop sequence where the loop asks for it all the same. */
  #endResponse(requested: readonly string[] = []): void {
    const last = this.#reader.end({ stopped: false });
    this.#take(last.filter((piece) => !(piece.type === "unclosed" && isCut(piece.name, requested))));
    this.#endBlock();
    this.#reader = new XmlCallReader(toolNames, lastCalls);
  }

  #take(pieces: readonly XmlPiece[]): void {
    for (const piece of pieces) {
      if (piece.type === "text") this.#say(piece.text);
      else if (piece.type === "call" && subgoalTools.has(piece.name)) this.#tellSubgoal(piece);
      else this.#tellRefusal(piece);
    }
  }

  /** A call that the loop refuses never reaches the client: it is told as it stands in the text, with the loop's reason. */
  #tellRefusal(piece: Exclude<XmlPiece, { type: "text" }>): void {
    const refusal = refusalOf(piece);
    if (refusal === undefined) return;
    this.#endBlock();
    this.#refused += 1;
    const id = `refused_${this.#step ?? 0}_${this.#refused}`;
    this.#told.toolCallIds.push(id);
    this.toolCall({ id, name: refusal.name, params: refusal.params });
    this.toolResult({ id, name: refusal.name }, errorOutput(refusal.message));
  }

  #say(text: string): void {
    if (!this.#isInBlock && text.trim() === "") return;
    this.#isInBlock = true;
    this.#told.characters += text.length;
    this.#actions.send({ type: "response-chunk", chunk: text });
  }

  /** Subgoals never reach the client as calls; they are told as they stand in the text. */
  #tellSubgoal(piece: Extract<XmlPiece, { type: "call" }>): void {
    const call = readXmlInput(piece);
    if (!call.ok) return this.#tellRefusal(piece);
    this.#endBlock();
    this.#subgoals += 1;
    const id = `subgoal_${this.#step ?? 0}_${this.#subgoals}`;
    this.#told.toolCallIds.push(id);
    this.toolCall({ id, name: call.name, params: call.input });
    const verb = call.name === "add_subgoal" ? "added" : "updated";
    this.toolResult({ id, name: call.name }, [
      { type: "json", value: { message: `Subgoal ${call.input.id} ${verb}` } },
    ]);
  }

  #endBlock(): void {
    if (this.#isInBlock) this.#actions.send({ type: "response-chunk", chunk: "" });
    this.#isInBlock = false;
  }
}

function isCut(name: string, requested: readonly string[]): boolean {
  return requested.includes(name) || subgoalTools.has(name) || name === "end_turn";
}
