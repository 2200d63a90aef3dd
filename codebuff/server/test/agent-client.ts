import { once } from "node:events";
import type {
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeServerMessage,
} from "@muster/codebuff-protocol";
import { emptyAgentState } from "@muster/codebuff-protocol";
import { runAgentTask } from "@muster/codebuff-runtime";
import { WebSocket } from "ws";

/**
 * A client of agent mode as a product would write it: it keeps a journal of the calls it ran, and when the connection breaks
 * it goes on with the next address, repeating its last message under the same number.
 */
export class AgentClient {
  readonly received: AgentModeServerMessage[] = [];
  /** Every execution, in order: a call that ran twice is here twice. */
  readonly executed: string[] = [];
  readonly #urls: () => string;
  readonly #key: string;
  readonly #sessionId: string;
  readonly #run: (call: AgentModeCall) => Promise<string>;
  readonly #journal = new Map<string, AgentModeResult>();
  #socket: WebSocket | undefined;
  #seq = 0;

  constructor(options: {
    url: () => string;
    key: string;
    sessionId: string;
    run(call: AgentModeCall): Promise<string>;
  }) {
    this.#urls = options.url;
    this.#key = options.key;
    this.#sessionId = options.sessionId;
    this.#run = options.run;
  }

  /** Resolves when the turn is over. */
  work(task: string) {
    return runAgentTask({
      task,
      state: emptyAgentState,
      exchange: (message, receive) => this.#exchange(message, receive),
      execute: (call) => this.#execute(call),
      onMessage: (message) => this.received.push(message),
    });
  }

  close(): void {
    this.#socket?.close();
  }

  async #exchange(message: AgentModeClientMessage, receive: (message: AgentModeServerMessage) => void): Promise<void> {
    const line = JSON.stringify({ ...message, sessionId: this.#sessionId, seq: ++this.#seq });
    for (const giveUpAt = Date.now() + 100_000; Date.now() < giveUpAt; ) {
      if (await this.#once(line, receive)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("No server answers");
  }

  /** False when the connection broke before the last answer came. */
  async #once(line: string, receive: (message: AgentModeServerMessage) => void): Promise<boolean> {
    const socket = await this.#connect();
    if (!socket) return false;
    return new Promise((resolve) => {
      const onMessage = (data: unknown) => {
        const message = JSON.parse(String(data)) as AgentModeServerMessage;
        if (message.type === "agent_error" && message.code === "superseded") return;
        receive(message);
        if (lastOnes.has(message.type)) settle(true);
      };
      const settle = (isDone: boolean) => {
        socket.off("message", onMessage).off("close", onClose);
        resolve(isDone);
      };
      const onClose = () => settle(false);
      socket.on("message", onMessage).on("close", onClose);
      socket.send(line);
    });
  }

  async #connect(): Promise<WebSocket | undefined> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket;
    const url = `${this.#urls().replace("http", "ws")}/api/v1/agent-mode`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${this.#key}` } });
    socket.on("error", () => {});
    const opened = await Promise.race([
      once(socket, "open").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    this.#socket = opened ? socket : undefined;
    return this.#socket;
  }

  async #execute(call: AgentModeCall): Promise<AgentModeResult> {
    const known = this.#journal.get(call.id);
    if (known) return known;
    this.executed.push(call.id);
    const result: AgentModeResult = {
      id: call.id,
      name: call.name,
      status: "completed",
      result: await this.#run(call),
    };
    this.#journal.set(call.id, result);
    return result;
  }
}

const lastOnes = new Set(["agent_request_tool_execution", "agent_turn_complete", "agent_error"]);
