import { relative } from "node:path";
import {
  type AgentDefinition,
  errorOutput,
  interruptedMessage,
  isToolName,
  type McpServer,
  type PlanMark,
  type PrintModeEvent,
  type Skill,
  type ToolCall,
  type ToolInput,
  type ToolOutput,
  toolEffect,
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
  type AskPermission,
  type CustomTool,
  confinementNote,
  type RunOptions as HandsOptions,
  type PickFiles,
  type ToolHandlers,
  type Workspace,
} from "@muster/codebuff-workspace";
import { messageOf, quoteForShell } from "@muster/core";
import type { Settlement } from "@muster/snapshots";
import type { Hooks } from "../hooks/hooks.ts";
import { type HookedStart, ToolHooks } from "../hooks/tool-hooks.ts";
import { withoutTrust } from "../load/mcp-config.ts";
import type { ApproveTools, McpServers } from "../mcp/mcp-servers.ts";
import type { AskPerson } from "./ask-person.ts";
import { askQuestion, permissionAsker } from "./asking.ts";
import { ChangeWatch } from "./change-watch.ts";
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
  readonly hands: Omit<
    HandsOptions,
    "runId" | "agentId" | "customTools" | "overrides" | "ask" | "askUser" | "pickFiles"
  >;
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
  /** Tells the snapshots whose change it was since they last looked. */
  readonly settle: (settlement: Settlement) => Promise<void>;
  readonly hooks: Hooks;
  readonly warn: (message: string) => void;
}

/** The runtime's tools port: every call of a model ends here, on this machine. */
export class SdkTools implements Tools {
  readonly #options: SdkToolsOptions;
  readonly #custom: Map<string, CustomToolDefinition>;
  /** Custom and MCP tools, by the name a model sees. MCP tools come to it when an agent is opened, maybe after its parent's first call. */
  readonly #tools: Record<string, CustomTool>;
  readonly #hands = new Map<string, AgentHands>();
  readonly #watch: ChangeWatch;
  readonly #hooks: ToolHooks;
  /** What is asked about, by the call it is asked for. */
  readonly #calls = new Map<string, ToolCall>();
  #root: AgentHands | undefined;
  #resumeIn: string | undefined;
  #tell: (event: PrintModeEvent) => Promise<void> = async () => undefined;
  /** What picking files has cost since it was last told. */
  #picking: Cost = noCost;

  constructor(options: SdkToolsOptions) {
    this.#options = options;
    this.#watch = new ChangeWatch(options.settle);
    this.#hooks = new ToolHooks(options.hooks, options.workspace.project.root);
    this.#resumeIn = options.resumeIn;
    this.#custom = new Map(options.customTools.map((tool) => [tool.toolName, tool]));
    this.#tools = Object.fromEntries([...this.#custom].map(([name, tool]) => [name, asCustomTool(tool)]));
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
    for (const [name, { tool }] of Object.entries(offers)) if (!this.#custom.has(name)) this.#tools[name] = tool;
    const terminal = terminalDefinition(agent, this.#terminalNote());
    return [...terminal, ...custom, ...Object.values(offers).map(({ definition }) => definition)];
  }

  async run(
    calls: readonly MarkedCall[],
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult[]> {
    const changing = calls.filter(mayChange);
    if (changing.length > 0) await this.#watch.look();
    // All of them before the first call runs: the calls keep their order.
    const starts = await Promise.all(calls.map((call) => this.#hooks.before(call)));
    const results = await Promise.all(starts.map((start) => this.#runHooked(start, scope, progress)));
    const asRun = starts.map(({ call }) => call);
    const changed = changing.length > 0 ? await this.#afterChanges(asRun, results, scope) : results;
    return this.#hooks.areThere ? this.#afterHooks(asRun, changed) : changed;
  }

  async #runHooked(
    start: HookedStart<MarkedCall>,
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult> {
    const { toolCallId, toolName } = start.call;
    if ("refused" in start) return { toolCallId, toolName, output: start.refused };
    if (start.asks !== undefined) {
      const answer = await this.#askForHook(start.call, start.asks, scope);
      if (answer !== undefined) return { toolCallId, toolName, output: errorOutput(answer) };
    }
    this.#calls.set(toolCallId, start.call);
    return this.requestToolCall(start.call, scope, progress).finally(() => {
      this.#watch.end(toolCallId);
      this.#calls.delete(toolCallId);
    });
  }

  /** A hook wants the person asked, whatever the policy says. Undefined: yes. */
  async #askForHook(
    { toolCallId, toolName, input }: ToolCall,
    reason: string,
    scope: Scope,
  ): Promise<string | undefined> {
    const { ask } = this.#options;
    const { runId, agentId, signal } = scope;
    const command = typeof input.command === "string" ? input.command : undefined;
    const title = command === undefined ? `Use the tool ${toolName}` : `Run ${command}`;
    const action = command === undefined ? "other" : "execute";
    const request = { toolCallId, runId, agentId, tool: toolName, action, title, reason, command, signal } as const;
    if (ask === undefined) return `Denied: ${reason}, and nobody is here to ask`;
    const answer = await this.#askPerson(ask)(request);
    return answer.decision === "deny" ? `Denied: ${answer.message ?? reason}` : undefined;
  }

  /** Hooks of calls run one after the other, in the order of the calls: a formatter meets nobody else's edit. */
  async #afterHooks(calls: readonly ToolCall[], results: readonly ToolRunResult[]): Promise<ToolRunResult[]> {
    const told: ToolRunResult[] = [];
    for (const [index, result] of results.entries()) {
      const call = calls[index];
      told.push(call === undefined ? result : { ...result, output: await this.#hooks.after(call, result.output) });
    }
    await this.#watch.look({ by: "hook" });
    return told;
  }

  /** One call, as it comes: the hands of its agent know what it has to wait for. */
  async requestToolCall(
    call: MarkedCall,
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult> {
    const { toolCallId, toolName, input } = call;
    try {
      const network = this.#network(call);
      if (network !== undefined) {
        this.#handsOf(scope).gate.readOutside(toolName);
        const begun = performance.now();
        const ran = await network(input as never, scope.signal);
        return { toolCallId, toolName, ...ran, durationMs: Math.round(performance.now() - begun) };
      }
      if (this.#isQuestion(call)) return await this.#ask(call, scope);
      return await this.#handleToolCall(call, scope, progress);
    } catch (error) {
      const message = scope.signal.aborted ? interruptedMessage : messageOf(error);
      return { toolCallId, toolName, output: errorOutput(message) };
    }
  }

  tellTo(tell: (event: PrintModeEvent) => Promise<void>): void {
    this.#tell = tell;
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

  /** The run is over: what changes from now on is the person's. */
  async end(): Promise<void> {
    await this.#watch.look();
    await this.#root?.end();
  }

  async #handleToolCall(
    call: ToolCall,
    scope: Scope,
    onProgress: (call: ToolCall, output: string) => void,
  ): Promise<ToolRunResult> {
    const { fileFilter } = this.#options;
    const { signal } = scope;
    const allowed = fileFilter === undefined ? call : withoutBlocked(call, fileFilter);
    const resuming = this.#takeResumption(allowed, scope);
    // Together, so that no other call of the step comes between the two.
    const { root } = this.#options.workspace.project;
    const onBegin = async ({ toolCallId }: ToolCall, edits: readonly string[] | undefined) => {
      if (toolCallId === call.toolCallId && mayChange(call))
        await this.#watch.begin(
          toolCallId,
          edits?.map((path) => relative(root, path)),
        );
    };
    const results = await this.#handsOf(scope).call([...resuming, allowed], { signal, onProgress, onBegin });
    const result = results.at(-1);
    if (result === undefined) throw new Error("The tool gave no result");
    const marked = fileFilter === undefined ? result : withMarkers(call, result, fileFilter);
    if (resuming.length > 0)
      return { ...marked, output: [...marked.output, { type: "json", value: { note: newTerminal } }] };
    return call.toolName === "find_files" ? { ...marked, cost: this.#takePickingCost() } : marked;
  }

  /** Hooks run after the edits of a step; what they say stands behind the last edit's result. */
  async #afterChanges(
    calls: readonly ToolCall[],
    results: readonly ToolRunResult[],
    scope: Scope,
  ): Promise<ToolRunResult[]> {
    const { hands } = this.#options;
    const edited = results.map((result, index) => editedPaths(calls[index], result.output));
    const files = [...new Set(edited.flat())];
    const last = edited.findLastIndex((paths) => paths.length > 0);
    await this.#watch.look({ edited: files });
    if (last === -1) return [...results];
    if ((hands.hooks ?? []).length === 0 || scope.signal.aborted) return [...results];
    const call = {
      toolCallId: `hooks-${calls[last]?.toolCallId}`,
      toolName: "run_file_change_hooks",
      input: { files },
    };
    const [hooks] = await this.#handsOf(scope).call([call], { signal: scope.signal });
    await this.#watch.look({ by: "hook" });
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

  /** What moves a new terminal to where the earlier one was, before the first command of the root agent. */
  #takeResumption({ toolName }: ToolCall, { parentAgentId, runId }: Scope): ToolCall[] {
    const directory = this.#resumeIn;
    if (directory === undefined || toolName !== "run_terminal_command" || parentAgentId !== undefined) return [];
    this.#resumeIn = undefined;
    const input = { command: `cd -- ${quoteForShell(directory)}` };
    return [{ toolCallId: `resume-${runId}`, toolName, input }];
  }

  #takePickingCost(): Cost {
    const cost = this.#picking;
    this.#picking = noCost;
    return cost;
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
    this.#hooks.notify("elicitation_dialog", input.questions[0]?.question ?? "A question");
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
    const { workspace, hands, overrideTools, terminalHandlers, ask } = this.#options;
    const overridden = overrideHandlers(overrideTools, (tool, input, context) => this.#propose(tool, input, context));
    const overrides = { ...terminalHandlers, ...overridden };
    const pickFiles = this.#options.pickFiles(runId, (cost) => {
      this.#picking = addCosts(this.#picking, cost);
    });
    this.#root = workspace.beginRun({
      ...hands,
      ask: this.#permissionAsker(ask),
      pickFiles,
      runId,
      agentId: parentAgentId === undefined ? agentId : "main-agent",
      customTools: this.#tools,
      overrides,
    });
    if (parentAgentId === undefined) return this.#root;
    this.#hands.set("main-agent", this.#root);
    return this.#root.beginAgent({ agentId, runId });
  }

  /** Hooks may answer in the person's place. Undefined where neither is there. */
  #permissionAsker(ask: AskPerson | undefined): AskPermission | undefined {
    const { hooks } = this.#options;
    if (ask === undefined && !hooks.has("PermissionRequest") && !hooks.has("PreToolUse")) return undefined;
    const asker = ask && this.#askPerson(ask);
    return async (request) => {
      const call = this.#calls.get(request.toolCallId);
      const decided = call && (await this.#hooks.permission(request, call));
      if (decided !== undefined) return decided;
      return asker?.(request) ?? { decision: "deny", message: `Denied by policy: ${request.reason}` };
    };
  }

  #askPerson(ask: AskPerson): AskPermission {
    const asker = permissionAsker(ask, (event) => this.#tell(event));
    return (request) => {
      this.#hooks.notify("permission_prompt", `${request.title} (${request.reason})`);
      return this.#watch.wait(request.toolCallId, () => asker(request));
    };
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

/** Tools of others may change anything; of ours the table knows. */
function mayChange({ toolName }: ToolCall): boolean {
  if (!isToolName(toolName)) return true;
  const effect = toolEffect(toolName);
  return effect === "writes" || effect === "runs";
}

const newTerminal =
  "This is a new terminal, begun where the earlier one was left. Its environment and its programs are gone.";
