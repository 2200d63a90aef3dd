import { setTimeout as sleep } from "node:timers/promises";
import xterm, { type Terminal } from "@xterm/headless";
import { WebSocket } from "ws";

interface Control {
  type: string;
  offset?: number;
  columns?: number;
  rows?: number;
  bytes?: number;
  allowed?: boolean;
}

/** Somebody who looks at a terminal through its WebSocket, with an emulator of their own. */
export class TerminalViewer {
  readonly controls: Control[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Everything that came over the connection. */
  received = 0;
  /** All output up to here has been shown. */
  offset = 0;
  terminal: Terminal = terminalOf(80, 24);
  readonly #socket: WebSocket;
  #snapshot = 0;
  #work: Promise<void> = Promise.resolve();

  static async open(
    url: string,
    processId: string,
    query: Record<string, string> = {},
    token?: string,
  ): Promise<TerminalViewer> {
    const place = `${url.replace("http", "ws")}/processes/${processId}/attach?${new URLSearchParams(query)}`;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const viewer = new TerminalViewer(new WebSocket(place, { headers }));
    await new Promise((resolve, reject) => {
      viewer.#socket.once("open", resolve);
      viewer.#socket.once("error", reject);
    });
    return viewer;
  }

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      this.#work = this.#work.then(() =>
        isBinary ? this.#show(data) : this.#hear(JSON.parse(String(data)) as Control),
      );
    });
    this.closed = new Promise((resolve) =>
      socket.once("close", (code, reason) => resolve({ code, reason: String(reason) })),
    );
  }

  type(text: string): void {
    this.#socket.send(Buffer.from(text), { binary: true });
  }

  tell(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.close();
  }

  /** Rows of the screen without blanks at their ends. */
  lines(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  async until(isSo: (lines: string[]) => boolean): Promise<void> {
    while (!isSo(this.lines())) await sleep(5);
  }

  async untilOffset(offset: number): Promise<void> {
    while (this.offset < offset) await sleep(5);
  }

  async untilControl(type: string): Promise<Control> {
    for (;;) {
      const found = this.controls.find((control) => control.type === type);
      if (found !== undefined) return found;
      await sleep(5);
    }
  }

  async #show(bytes: Buffer): Promise<void> {
    this.received += bytes.length;
    await new Promise<void>((resolve) => this.terminal.write(bytes, resolve));
    if (this.#snapshot > 0) this.#snapshot -= bytes.length;
    else this.offset += bytes.length;
  }

  #hear(control: Control): void {
    this.controls.push(control);
    const { type, offset = 0, columns = 80, rows = 24, bytes = 0 } = control;
    if (type === "snapshot") {
      this.terminal = terminalOf(columns, rows);
      this.#snapshot = bytes;
    }
    if (type === "snapshot" || type === "from") this.offset = offset;
    if (type === "resized") this.terminal.resize(columns, rows);
  }
}

function terminalOf(cols: number, rows: number): Terminal {
  return new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
}
