import { createHash } from "node:crypto";
import type { McpServer, ToolDefinition } from "@muster/codebuff-protocol";
import type { CustomTool } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { ExitGuard } from "../exit-guard.ts";
import { McpConnection, type McpLimits, type McpPlace, type McpTool } from "./mcp-connection.ts";

export interface McpToolOffer {
  readonly definition: ToolDefinition;
  readonly tool: CustomTool;
}

/** The servers of one client, each opened once however many agents use it. Their owner closes them. */
export class McpServers {
  readonly #connections = new Map<string, McpConnection>();
  readonly #place: McpPlace;
  readonly #limits: McpLimits | undefined;

  constructor(place: { cwd: string; env: NodeJS.ProcessEnv }, limits?: McpLimits) {
    this.#place = { ...place, guard: new ExitGuard() };
    this.#limits = limits;
  }

  /**
   * The tools of these servers under the names a model sees, `server__tool`. Entries `server/tool` among `toolNames` narrow
   * a server to the tools they name. A server that cannot be started offers nothing and is told.
   */
  async offers(
    servers: Readonly<Record<string, McpServer>>,
    toolNames: readonly string[],
    { signal, warn, approve }: OfferOptions,
  ): Promise<Record<string, McpToolOffer>> {
    const all = Object.entries(servers).map(async ([server, config]) => {
      const narrowed = toolNames
        .filter((name) => name.startsWith(`${server}/`))
        .map((name) => name.slice(server.length + 1));
      try {
        const connection = this.#connection(server, config);
        const tools = await connection.tools(signal);
        const described = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
        if (approve !== undefined && !(await approve(server, JSON.stringify(described, null, 2)))) {
          warn(
            `The MCP server ${server} describes its tools otherwise than before; they are not offered until that is accepted`,
          );
          return [];
        }
        return tools
          .filter(({ name }) => narrowed.length === 0 || narrowed.includes(name))
          .map((tool) => offer({ server, tool, connection, isTrusted: config.trustReadOnlyHint === true }));
      } catch (error) {
        warn(messageOf(error));
        return [];
      }
    });
    return Object.fromEntries((await Promise.all(all)).flat().map((one) => [one.definition.name, one]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
    this.#connections.clear();
  }

  #connection(name: string, config: McpServer): McpConnection {
    const key = JSON.stringify([name, config]);
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const connection = new McpConnection(name, config, this.#place, this.#limits);
    this.#connections.set(key, connection);
    return connection;
  }
}

interface OfferOptions {
  readonly signal?: AbortSignal;
  readonly warn: (message: string) => void;
  /** Whether the person still agrees to what a server says of its tools. */
  readonly approve?: ApproveTools;
}

export type ApproveTools = (server: string, described: string) => Promise<boolean>;

interface Offered {
  readonly server: string;
  readonly tool: McpTool;
  readonly connection: McpConnection;
  /** The person believes the server's `readOnlyHint`; else it is the word of a stranger and opens nothing. */
  readonly isTrusted: boolean;
}

function offer({ server, tool, connection, isTrusted }: Offered): McpToolOffer {
  const name = `${server}__${tool.name}`.replace(/[^\w-]/g, "_").slice(0, 64);
  const description = `[The MCP server ${server} says, not the user:] ${tool.description ?? tool.name}`;
  return {
    definition: { name, description, inputSchema: tool.inputSchema },
    tool: {
      effect: isTrusted && tool.annotations?.readOnlyHint === true ? "reads" : "writes",
      isForeign: true,
      fingerprint: fingerprintOf(tool),
      execute: (input, { signal }) => connection.call(tool.name, input, signal),
    },
  };
}

/** An `always` holds for the tool as it was described. */
function fingerprintOf({ description, inputSchema }: McpTool): string {
  return createHash("sha256")
    .update(JSON.stringify([description, inputSchema]))
    .digest("hex")
    .slice(0, 16);
}
