import {
  type AgentDefinition,
  errorOutput,
  interruptedMessage,
  type McpServer,
  type PlanMark,
  type Skill,
  type ToolCall,
  type ToolInput,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import {
  addCosts,
  type Cost,
  type MarkedCall,
  noCost,
  type Scope,
  type ToolRunResult,
  type Tools,
} from "@muster/codebuff-runtime";
import {
  type AgentHands,
  type CustomTool,
  confinementNote,
  type RunOptions as HandsOptions,
  type PickFiles,
  type ToolHandlers,
  type Workspace,
} from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { withoutTrust } from "../load/mcp-config.ts";
import type { ApproveTools, McpServers } from "../mcp/mcp-servers.ts";
import type { AskPerson } from "./ask-person.ts";
import { askQuestion } from "./asking.ts";
import { asCustomTool, type CustomToolDefinition, customToolDefinition } from "./custom-tools.ts";
import { editedPaths } from "./edited-paths.ts";
import { type FileFilter, withMarkers, withoutBlocked } from "./file-filter.ts";
import { type OverrideTools, overrideHandlers } from "./override-tools.ts";
import { terminalDefinition } from "./terminal-definition.ts";

/** A tool of the network: its cost comes back with its result. */
export type NetworkTool = (input: never, signal: AbortSignal) => Promise<{ output: ToolOutput; cost?: Cost }>;

export interface SdkToolsOptions {
  readonly workspace: Workspace;
  /** Policy, terminal and hooks; what is the same for every agent of the run. */
  readonly hands: Omit<HandsOptions, "runId" | "agentId" | "customTools" | "overrides" | "askUser" | "pickFiles">;
  readonly customTools: readonly CustomToolDefinition[];
  readonly overrideTools: OverrideTools;
  /** The terminal of a caller that starts processes itself. */
  readonly terminalHandlers: ToolHandlers;
  readonly fileFilter: FileFilter | undefined;
  readonly mcp: McpServers;
  /** Servers of `mcp.json`, offered to the root agent. */
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  readonly approveTools: ApproveTools;
  readonly rootAgent: string;
  /** The fast model behind `find_files`. */
  readonly pickFiles: (runId: string, onCost: (cost: Cost) => void) => PickFiles;
  readonly network: Readonly<Record<string, NetworkTool>>;
  readonly skills: Readonly<Record<string, Skill>>;
  readonly ask: AskPerson | undefined;
  /** The terminal of an earlier process was left here; this one begins there, and its first result says so. */
  readonly resumeIn: string | undefined;
  /** After the edits of a batch: snapshots. */
  readonly onEdits: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/** The runtime's tools port: every call of a model ends here, on this machine. */
export class SdkTools implements Tools {
  readonly #options: SdkToolsOptions;
  readonly #custom: Map<string, CustomToolDefinition>;
  /** MCP tools, by the name a model sees. */
  readonly #mcpTools: Record<string, CustomTool> = {};
  readonly #hands = new Map<string, AgentHands>();
  #root: AgentHands | undefined;
  #resumeIn: string | undefined;
  /** What picking files has cost since it was last told. */
  #picking: Cost = noCost;

  constructor(options: SdkToolsOptions) {
    this.#options = options;
    this.#resumeIn = options.resumeIn;
    this.#custom = new Map(options.customTools.map((tool) => [tool.toolName, tool]));
  }

  /**
   * What an agent is offered is what it may call: custom tools it names, and the tools of its MCP servers. The terminal is
   * among them where its description says more than the table's.
   */
  async definitions(agent: AgentDefinition, signal: AbortSignal) {
    const { mcp, warn, approveTools: approve } = this.#options;
    const named = agent.toolNames.flatMap((name) => this.#custom.get(name) ?? []);
    const custom = await Promise.all(named.map(customToolDefinition));
    const offers = await mcp.offers(this.#serversOf(agent), agent.toolNames, { signal, warn, approve });
    for (const [name, { tool }] of Object.entries(offers)) this.#mcpTools[name] = tool;
    const terminal = terminalDefinition(agent, this.#terminalNote());
    return [...terminal, ...custom, ...Object.values(offers).map(({ definition }) => definition)];
  }

  async run(
    calls: readonly MarkedCall[],
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult[]> {
    const results = await Promise.all(
      this.#batches(calls).map((batch) => this.requestToolCall(batch, scope, progress)),
    );
    const byId = new Map(results.flat().map((result) => [result.toolCallId, result]));
    const ordered = calls.flatMap((call) => byId.get(call.toolCallId) ?? []);
    return this.#afterEdits(calls, ordered, scope);
  }

  /** Calls that stand together go to the hands as one batch: they know what may run side by side. */
  async requestToolCall(
    calls: readonly MarkedCall[],
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult[]> {
    const [first] = calls;
    if (first === undefined) return [];
    try {
      const network = this.#network(first);
      if (network !== undefined) {
        const { gate } = this.#handsOf(scope);
        gate.readOutside(first.toolName);
        const { output, cost } = await network(first.input as never, scope.signal);
        return [{ toolCallId: first.toolCallId, toolName: first.toolName, output, cost }];
      }
      if (this.#isQuestion(first)) return [await this.#ask(first, scope)];
      return await this.#handleToolCalls(calls, scope, progress);
    } catch (error) {
      const message = scope.signal.aborted ? interruptedMessage : messageOf(error);
      return calls.map(({ toolCallId, toolName }) => ({ toolCallId, toolName, output: errorOutput(message) }));
    }
  }

  endAgent({ agentId }: Scope): void {
    const hands = this.#hands.get(agentId);
    if (hands === undefined || hands === this.#root) return;
    this.#hands.delete(agentId);
    hands
      .end()
      .catch((error: unknown) => this.#options.warn(`The terminal of ${agentId} did not end: ${messageOf(error)}`));
  }

  skill(name: string): Skill | undefined {
    return this.#options.skills[name];
  }

  /** The run is over. */
  async end(): Promise<void> {
    await this.#root?.end();
  }

  async #handleToolCalls(
    calls: readonly ToolCall[],
    scope: Scope,
    onProgress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult[]> {
    const { fileFilter } = this.#options;
    const hands = this.#handsOf(scope);
    const { signal } = scope;
    const allowed = fileFilter === undefined ? calls : calls.map((call) => withoutBlocked(call, fileFilter));
    const resumed = await this.#resumeTerminal(allowed, scope);
    const results = await hands.call(allowed, { signal, onProgress });
    return results.map((result, index) => {
      const call = calls[index];
      const marked = fileFilter === undefined || call === undefined ? result : withMarkers(call, result, fileFilter);
      if (index === resumed.at)
        return { ...marked, output: [...marked.output, { type: "json", value: { note: resumed.note } }] };
      return result.toolName === "find_files" ? { ...marked, cost: this.#takePickingCost() } : marked;
    });
  }

  /** Hooks run after the edits of a batch; what they say stands behind the last edit's result. */
  async #afterEdits(
    calls: readonly ToolCall[],
    results: readonly ToolRunResult[],
    scope: Scope,
  ): Promise<ToolRunResult[]> {
    const { hands, onEdits } = this.#options;
    const edited = results.map((result, index) => editedPaths(calls[index], result.output));
    const files = [...new Set(edited.flat())];
    const last = edited.findLastIndex((paths) => paths.length > 0);
    if (last === -1) return [...results];
    await onEdits();
    if ((hands.hooks ?? []).length === 0 || scope.signal.aborted) return [...results];
    const call = {
      toolCallId: `hooks-${calls[last]?.toolCallId}`,
      toolName: "run_file_change_hooks",
      input: { files },
    };
    const [hooks] = await this.#handsOf(scope).call([call], { signal: scope.signal });
    const said = hooks?.output.flatMap((part) => (part.type === "json" ? [part.value] : [])) ?? [];
    const isSilent = said.every((value) => Array.isArray(value) && value.length === 0);
    if (isSilent) return [...results];
    return results.map((result, index) =>
      index === last
        ? { ...result, output: [...result.output, { type: "json", value: { fileChangeHooks: said[0] ?? [] } }] }
        : result,
    );
  }

  /** Before the first call there is no gate to ask; an embedding program that runs commands itself confines nothing. */
  #terminalNote(): string {
    const { workspace, hands, overrideTools, terminalHandlers } = this.#options;
    if ((overrideTools.run_terminal_command ?? terminalHandlers.run_terminal_command) !== undefined) return "";
    return this.#root?.gate.terminalNote ?? confinementNote(workspace.confinement, hands);
  }

  /** Moves a new terminal to where the earlier one was; which call has to be told, and what. */
  async #resumeTerminal(calls: readonly ToolCall[], scope: Scope): Promise<{ at: number; note: string }> {
    const directory = this.#resumeIn;
    const at = calls.findIndex(({ toolName }) => toolName === "run_terminal_command");
    if (directory === undefined || at === -1 || scope.parentAgentId !== undefined) return { at: -1, note: "" };
    this.#resumeIn = undefined;
    const input = { command: `cd -- '${directory.replaceAll("'", "'\\''")}'` };
    const call = { toolCallId: `resume-${scope.runId}`, toolName: "run_terminal_command", input };
    await this.#handsOf(scope).call([call], { signal: scope.signal });
    const note =
      "This is a new terminal, begun where the earlier one was left. Its environment and its programs are gone.";
    return { at, note };
  }

  #takePickingCost(): Cost {
    const cost = this.#picking;
    this.#picking = noCost;
    return cost;
  }

  #batches(calls: readonly MarkedCall[]): MarkedCall[][] {
    const together = calls.filter((call) => this.#network(call) === undefined && !this.#isQuestion(call));
    const alone = calls.filter((call) => !together.includes(call));
    return [together, ...alone.map((call) => [call])].filter((batch) => batch.length > 0);
  }

  #network({ toolName }: ToolCall): NetworkTool | undefined {
    const { network } = this.#options;
    return Object.hasOwn(network, toolName) ? network[toolName] : undefined;
  }

  #isQuestion({ toolName }: ToolCall): boolean {
    return toolName === "ask_user" && this.#options.overrideTools.ask_user === undefined;
  }

  async #ask(call: ToolCall & { plan?: PlanMark }, scope: Scope): Promise<ToolRunResult> {
    const { toolCallId, toolName, plan } = call;
    const input = call.input as ToolInput<"ask_user">;
    const { agentId, signal } = scope;
    const output = await askQuestion(
      this.#options.ask,
      { toolCallId, agentId, input, plan, signal },
      this.#handsOf(scope).gate,
    );
    return { toolCallId, toolName, output };
  }

  #serversOf(agent: AgentDefinition): Record<string, McpServer> {
    const { mcpServers, rootAgent } = this.#options;
    const isNamed = (server: string) => agent.toolNames.some((name) => name.startsWith(`${server}/`));
    const shared = Object.entries(mcpServers).filter(([server]) => agent.id === rootAgent || isNamed(server));
    const own = Object.entries(agent.mcpServers ?? {}).map(([name, server]) => [name, withoutTrust(server)]);
    return { ...Object.fromEntries(shared), ...Object.fromEntries(own) };
  }

  #handsOf(scope: Scope): AgentHands {
    const known = this.#hands.get(scope.agentId);
    if (known !== undefined) return known;
    const { runId, agentId, parentAgentId } = scope;
    const parent = parentAgentId === undefined ? undefined : (this.#hands.get(parentAgentId) ?? this.#root);
    const hands = parent?.beginAgent({ agentId, runId }) ?? this.#beginRun(scope);
    this.#hands.set(agentId, hands);
    return hands;
  }

  #beginRun({ runId, agentId, parentAgentId }: Scope): AgentHands {
    const { workspace, hands, overrideTools, terminalHandlers } = this.#options;
    const tools = Object.fromEntries([...this.#custom].map(([name, tool]) => [name, asCustomTool(tool)]));
    // MCP tools become known when an agent is opened, which may be later than its parent's first call.
    const customTools = new Proxy(tools, {
      get: (own, name) => own[String(name)] ?? this.#mcpTools[String(name)],
      getOwnPropertyDescriptor: (own, name) =>
        Object.getOwnPropertyDescriptor(own, name) ?? Object.getOwnPropertyDescriptor(this.#mcpTools, name),
    });
    const overridden = overrideHandlers(overrideTools, (tool, input, context) => this.#propose(tool, input, context));
    const overrides = { ...terminalHandlers, ...overridden };
    const pickFiles = this.#options.pickFiles(runId, (cost) => {
      this.#picking = addCosts(this.#picking, cost);
    });
    this.#root = workspace.beginRun({
      ...hands,
      pickFiles,
      runId,
      agentId: parentAgentId === undefined ? agentId : "main-agent",
      customTools,
      overrides,
    });
    if (parentAgentId === undefined) return this.#root;
    this.#hands.set("main-agent", this.#root);
    return this.#root.beginAgent({ agentId, runId });
  }

  /** What an edit would change: proposed by hands of its own, which keep nothing. */
  async #propose(
    tool: string,
    input: object,
    { toolCallId, runId, signal }: { toolCallId: string; runId: string; signal: AbortSignal },
  ) {
    const hands = this.#root?.beginAgent({ agentId: `propose-${toolCallId}`, runId, overrides: {} });
    if (hands === undefined) throw new Error("There is no run");
    try {
      const [result] = await hands.call(
        [{ toolCallId: `propose-${toolCallId}`, toolName: tool, input: input as ToolCall["input"] }],
        { signal },
      );
      const [part] = result?.output ?? [];
      const value = part?.type === "json" ? (part.value as { unifiedDiff?: string }) : {};
      return value.unifiedDiff === undefined ? { output: result?.output ?? [] } : { diff: value.unifiedDiff };
    } finally {
      await hands.end();
    }
  }
}
