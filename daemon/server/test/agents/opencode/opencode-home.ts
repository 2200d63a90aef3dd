import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { DaemonHome, type DaemonProcess } from "../../daemon-process.ts";
import { installedAgent } from "../installed-agent.ts";

/** A key that is none: whoever sees it in a place where it should not be knows where it came from. */
export const fakeKey = "sk-fake-0123456789abcdef";

/** A daemon that drives the real OpenCode against a scripted model, in a home of its own and without a network. */
export class OpencodeDaemon {
  readonly home: DaemonHome;
  readonly llm: ScriptedLlm;
  daemon: DaemonProcess;

  static async start(conversations: ScriptInput["conversations"]): Promise<OpencodeDaemon> {
    const { path } = await installedAgent("opencode");
    const llm = await startScriptedLlm({ script: { conversations } });
    const home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `opencode=path:${path}`] });
    return new OpencodeDaemon(home, llm, await home.start());
  }

  private constructor(home: DaemonHome, llm: ScriptedLlm, daemon: DaemonProcess) {
    this.home = home;
    this.llm = llm;
    this.daemon = daemon;
  }

  /** A session in a directory of its own, unless another one is given. */
  async open(settings: Record<string, unknown> = {}): Promise<Conversation> {
    const { llm, daemon } = this;
    const directory = settings.directory ?? (await this.directory());
    const endpoint = { agent: "opencode", model: "scripted/m1", baseUrl: llm.url, token: fakeKey };
    return Conversation.open(daemon.api, { ...endpoint, ...settings, directory });
  }

  async directory(): Promise<string> {
    const folder = join(this.home.path, "work");
    await mkdir(folder, { recursive: true });
    return realpath(await mkdtemp(join(folder, "w-")));
  }

  async remove(): Promise<void> {
    await this.home.remove();
    await this.llm.close();
  }
}
