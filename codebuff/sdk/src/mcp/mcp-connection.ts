import type { Client, Transport } from "@modelcontextprotocol/client";
import { errorOutput, interruptedMessage, type McpServer, type ToolOutput } from "@muster/codebuff-protocol";
import { messageOf, untilAborted } from "@muster/core";
import { allowedVariables } from "@muster/terminal";
import { z } from "zod";
import type { ExitGuard } from "../exit-guard.ts";
import { McpResult, mcpOutput } from "./mcp-output.ts";
import { ServerProcess } from "./server-process.ts";

const connectLimitMs = 30_000;
const callLimitMs = 120_000;

const McpTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  // Not looked into: it travels to the model as the server wrote it.
  inputSchema: z.record(z.string(), z.json()),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional(),
});
export type McpTool = z.infer<typeof McpTool>;
const ToolPage = z.looseObject({ tools: z.array(McpTool), nextCursor: z.string().optional() });

/** Where a server is started, and who ends it when our process ends first. */
export interface McpPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly guard: ExitGuard;
}

export interface McpLimits {
  readonly connectMs?: number;
  readonly callMs?: number;
}

interface Open {
  readonly client: Client;
  readonly transport: Transport;
  readonly tools: readonly McpTool[];
}

/** One server of a configuration. Opened when first used, and again after it has died or hung. */
export class McpConnection {
  readonly #name: string;
  readonly #config: McpServer;
  readonly #place: McpPlace;
  readonly #limits: Required<McpLimits>;
  #opening: Promise<Open> | undefined;
  #pending = 0;

  constructor(name: string, config: McpServer, place: McpPlace, limits: McpLimits = {}) {
    this.#name = name;
    this.#config = config;
    this.#place = place;
    this.#limits = { connectMs: limits.connectMs ?? connectLimitMs, callMs: limits.callMs ?? callLimitMs };
  }

  /** Rejects with a sentence that names the server when it cannot be started. */
  async tools(signal?: AbortSignal): Promise<readonly McpTool[]> {
    return this.#use(async ({ tools }) => tools, signal);
  }

  /** Never rejects: a server that dies, hangs or floods is a tool error, and is started anew at the next call. */
  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolOutput> {
    let used: Open | undefined;
    try {
      return await this.#use(async (open) => {
        used = open;
        const request = {
          method: "tools/call" as const,
          params: { name: tool, arguments: input as Record<string, unknown> },
        };
        return mcpOutput(await open.client.request(request, McpResult, { signal, timeout: this.#limits.callMs }));
      }, signal);
    } catch (error) {
      if (signal.aborted) return errorOutput(interruptedMessage);
      const isAnswer = error instanceof Error && error.name === "ProtocolError";
      if (!isAnswer && used !== undefined) await this.#drop(used);
      return errorOutput(`${this.#name}: ${messageOf(error)}`);
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const open = await opening?.catch(() => undefined);
    await open?.client.close().catch(() => undefined);
  }

  async #use<Result>(work: (open: Open) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    this.#pending++;
    let open: Open | undefined;
    try {
      open = await untilAborted(this.#open(), signal);
      this.#hold(open, true);
      return await work(open);
    } finally {
      if (--this.#pending === 0 && open !== undefined) this.#hold(open, false);
    }
  }

  #open(): Promise<Open> {
    const opening = this.#opening ?? this.#connect();
    if (this.#opening === undefined) {
      this.#opening = opening;
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return opening;
  }

  async #connect(): Promise<Open> {
    const { Client } = await import("@modelcontextprotocol/client");
    const client = new Client({ name: "muster", version: "0.1.0" });
    const transport = await this.#transport();
    try {
      await client.connect(transport, { timeout: this.#limits.connectMs });
      const tools: McpTool[] = [];
      let cursor: string | undefined;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const page = await client.request({ method: "tools/list", params }, ToolPage, {
          timeout: this.#limits.connectMs,
        });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined && tools.length < 1_000);
      const open = { client, transport, tools };
      client.onclose = () => this.#forget(client);
      return open;
    } catch (error) {
      await client.close().catch(() => undefined);
      if (transport instanceof ServerProcess) await transport.close();
      const words = transport instanceof ServerProcess && transport.lastWords !== "" ? ` (${transport.lastWords})` : "";
      throw new Error(`The MCP server ${this.#name} cannot be started: ${messageOf(error)}${words}`);
    }
  }

  async #transport(): Promise<Transport> {
    const expand = (text: string) => expandVariables(text, this.#place.env);
    const config = this.#config;
    if ("command" in config) {
      const { command, args = [], env = {} } = config;
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, expand(value)]));
      const { env: outer, cwd, guard } = this.#place;
      // A stranger's program: what it needs, and what its configuration names.
      const started = {
        command: expand(command),
        args: args.map(expand),
        env: { ...allowedVariables(outer), ...own },
        cwd,
      };
      return new ServerProcess(started, guard);
    }
    const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const url = new URL(expand(config.url));
    for (const [name, value] of Object.entries(config.params ?? {})) url.searchParams.set(name, expand(value));
    const headers = Object.fromEntries(
      Object.entries(config.headers ?? {}).map(([name, value]) => [name, expand(value)]),
    );
    const options = { requestInit: { headers } };
    return config.type === "sse"
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options);
  }

  #hold({ transport }: Open, isNeeded: boolean): void {
    if (transport instanceof ServerProcess) transport.hold(isNeeded);
  }

  async #drop(open: Open): Promise<void> {
    this.#forget(open.client);
    if (open.transport instanceof ServerProcess) open.transport.kill("SIGKILL");
    await open.client.close().catch(() => undefined);
  }

  #forget(client: Client): void {
    const opening = this.#opening;
    void opening?.then(
      (open) => {
        if (open.client === client && this.#opening === opening) this.#opening = undefined;
      },
      () => undefined,
    );
  }
}

/** `$NAME` and `${NAME}`; a variable that is not set becomes nothing. */
function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(
    /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (_, braced?: string, plain?: string) => env[braced ?? plain ?? ""] ?? "",
  );
}
