import { setTimeout as wait } from "node:timers/promises";
import { type AgentModeClientMessage, AgentModeServerMessage } from "@muster/codebuff-protocol";
import { parseJson } from "@muster/core";
import type { WebSocket } from "ws";
import { clientHeader } from "../backend/client-header.ts";
import { failureOfStatus, ModelFailure } from "../model-failure.ts";

/** How long is waited before each further try of one message; a server that restarts or another instance takes over. */
const pausesMs = [100, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000];
/** The server pings every 20 s: a connection that is silent for so long is dead. */
const silenceMs = 70_000;
const mostMessageBytes = 64 * 1024 * 1024;

export interface AgentSocketOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Resolves when what was received has been taken; no more is read before. */
  readonly room: () => Promise<void>;
  /** The connection broke before the answer was whole; the message is sent again. */
  readonly onLost: () => void;
}

/** Agent mode's connection to the server: opened when it is needed, and again when it breaks. */
export class AgentSocket {
  readonly #options: AgentSocketOptions;
  #socket: WebSocket | undefined;

  constructor(options: AgentSocketOptions) {
    this.#options = options;
  }

  /**
   * Sends one message until its last answer has come. It keeps its number, so that a server that has answered already says
   * the same again. Rejects when nobody answers, or the server refuses.
   */
  async exchange(
    message: AgentModeClientMessage,
    seq: number,
    receive: (message: AgentModeServerMessage) => void,
  ): Promise<void> {
    const { sessionId, signal, onLost } = this.#options;
    const line = JSON.stringify({ ...message, sessionId, seq });
    for (let tries = 0; ; tries++) {
      const failure = await this.#attempt(line, seq, receive);
      if (failure === undefined) return;
      signal.throwIfAborted();
      const pause = pausesMs[tries];
      const mayPass = failure.kind === "network" || failure.kind === "server" || failure.kind === "rate_limit";
      if (!mayPass || pause === undefined) throw failure;
      onLost();
      await wait(pause, undefined, { signal });
    }
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  /** Undefined when the last answer has come. */
  async #attempt(
    line: string,
    seq: number,
    receive: (message: AgentModeServerMessage) => void,
  ): Promise<ModelFailure | undefined> {
    const { signal, room } = this.#options;
    const connected = await this.#connect();
    if (connected instanceof ModelFailure) return connected;
    return new Promise((resolve) => {
      const settle = (failure?: ModelFailure) => {
        signal.removeEventListener("abort", onAbort);
        connected.off("message", onMessage).off("close", onClose);
        resolve(failure);
      };
      const onAbort = () => {
        this.close();
        settle(lost());
      };
      const onClose = () => settle(lost());
      const onMessage = (data: unknown) => {
        const message = AgentModeServerMessage.safeParse(parseJson(String(data))).data;
        if (message === undefined) return settle(new ModelFailure("refused", "The server sent something unreadable"));
        // What is left of the answer to an earlier message.
        if (message.seq !== undefined && message.seq !== seq) return;
        receive(message);
        if (isLast(message)) return settle();
        connected.pause();
        void room().then(() => connected.resume());
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      connected.on("message", onMessage).on("close", onClose);
      connected.send(line, (error) => {
        if (error) connected.terminate();
      });
    });
  }

  async #connect(): Promise<WebSocket | ModelFailure> {
    const known = this.#socket;
    if (known !== undefined && known.readyState === known.OPEN) return known;
    const { baseUrl, apiKey, signal } = this.#options;
    const { WebSocket } = await import("ws");
    if (signal.aborted) return lost();
    const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/api/v1/agent-mode`, {
      headers: { ...clientHeader, authorization: `Bearer ${apiKey}` },
      handshakeTimeout: 15_000,
      maxPayload: mostMessageBytes,
      perMessageDeflate: false,
    });
    watchSilence(socket);
    return new Promise((resolve) => {
      const onAbort = () => socket.terminate();
      signal.addEventListener("abort", onAbort, { once: true });
      socket.once("close", () => {
        signal.removeEventListener("abort", onAbort);
        resolve(lost());
      });
      socket.on("error", () => socket.terminate());
      socket.once("unexpected-response", (_request, response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (piece) => {
          body += String(piece);
        });
        response.once("close", () => {
          resolve(failureOfStatus(response.statusCode ?? 500, body, new Headers(), Date.now()));
          socket.terminate();
        });
      });
      socket.once("open", () => {
        this.#socket = socket;
        resolve(socket);
      });
    });
  }
}

function isLast(message: AgentModeServerMessage): boolean {
  if (message.type === "agent_error") return message.code !== "bad_tool_response";
  return message.type === "agent_request_tool_execution" || message.type === "agent_turn_complete";
}

function watchSilence(socket: WebSocket): void {
  // Of a connection that is not read nothing can be heard.
  const timer = setTimeout(() => (socket.isPaused ? renew() : socket.terminate()), silenceMs);
  const renew = () => void timer.refresh();
  socket.on("open", renew).on("ping", renew).on("message", renew);
  socket.once("close", () => clearTimeout(timer));
}

function lost(): ModelFailure {
  return new ModelFailure("network", "The connection to the server was lost");
}
