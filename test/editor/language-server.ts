import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Answer {
  id?: number;
  method?: string;
  result?: unknown;
  error?: { message: string };
}

export interface Position {
  line: number;
  character: number;
}

/** TypeScript as an editor asks it: the language server of the compiler that is installed here, over its pipes. */
export class LanguageServer {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  static async start(): Promise<LanguageServer> {
    const server = new LanguageServer();
    const textDocument = {
      hover: { contentFormat: ["markdown", "plaintext"] },
      completion: {
        completionItem: { documentationFormat: ["markdown"], resolveSupport: { properties: ["documentation"] } },
      },
    };
    await server.ask("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      capabilities: { textDocument },
    });
    server.#send({ method: "initialized", params: {} });
    return server;
  }

  private constructor() {
    const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
    this.#child = spawn(process.execPath, [compiler, "--lsp", "--stdio"], {
      cwd: root,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("The language server ended"));
    });
  }

  /** Opens a text under an address; what is not on the disk is as good as what is. */
  open(uri: string, text: string): void {
    this.#send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
    });
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    return answer;
  }

  /** What is shown when the pointer rests on a place. */
  async hover(uri: string, position: Position): Promise<string> {
    const found = (await this.ask("textDocument/hover", { textDocument: { uri }, position })) as {
      contents: { value: string };
    } | null;
    return found?.contents.value ?? "";
  }

  /** What is offered at a place: the names, and the words of each as far as they are told with them. */
  async complete(uri: string, position: Position): Promise<{ label: string }[]> {
    const found = (await this.ask("textDocument/completion", { textDocument: { uri }, position })) as
      | { items: { label: string }[] }
      | { label: string }[]
      | null;
    return Array.isArray(found) ? found : (found?.items ?? []);
  }

  /** The words of something that is offered. */
  async words(item: { label: string }): Promise<string> {
    const { documentation } = (await this.ask("completionItem/resolve", item)) as {
      documentation?: string | { value: string };
    };
    return typeof documentation === "object" ? documentation.value : (documentation ?? "");
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const [, length] = /Content-Length: (\d+)/i.exec(this.#received.subarray(0, Math.max(end, 0)).toString()) ?? [];
      if (length === undefined || this.#received.length < end + 4 + Number(length)) return;
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + Number(length)).toString()) as Answer;
      this.#received = this.#received.subarray(end + 4 + Number(length));
      this.#take(message);
    }
  }

  #take({ id, method, result, error }: Answer): void {
    // Its own questions, such as for settings, get the answer that there are none.
    if (method !== undefined && id !== undefined)
      this.#send({ id, result: method === "workspace/configuration" ? [null] : null });
    if (method !== undefined || id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
