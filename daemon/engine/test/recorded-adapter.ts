import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Adapter, adapters, type Resume } from "@muster/adapters";
import { ampConverter } from "../../adapters/src/amp/converter.ts";
import type { LineChannel, LineReceiver } from "../../adapters/src/channel/line-channel.ts";
import { openLife } from "../../adapters/src/channel/open-life.ts";
import { claudeConverter } from "../../adapters/src/claude/converter.ts";
import { codebuffConverter } from "../../adapters/src/codebuff/converter.ts";
import { codexConverter } from "../../adapters/src/codex/converter.ts";
import type { Converter } from "../../adapters/src/converter/converter.ts";
import { mockConverter } from "../../adapters/src/mock/converter.ts";
import { opencodeConverter } from "../../adapters/src/opencode/converter.ts";
import { eventOf, sessionOf } from "../../adapters/src/opencode/wire/native.ts";
import type { RecordedInput } from "../../adapters/test/recorded-life.ts";

type AnyConverter = Converter<unknown, unknown>;

/** agent → the converter of a session of which this is the recording */
const converters: Readonly<Record<string, (inputs: readonly RecordedInput[]) => unknown>> = {
  claude: () => claudeConverter,
  codex: () => codexConverter({ permissionMode: "default" }),
  opencode: (inputs) => opencodeConverter(opencodeSettings(inputs)),
  amp: () => ampConverter,
  // Codebuff's SDK does not say where it works.
  codebuff: () => ({
    ...codebuffConverter,
    initial: (resume?: Resume) => ({ ...codebuffConverter.initial(resume), directory: "/workspace" }),
  }),
  mock: () => mockConverter,
};

export interface Recording {
  agent: string;
  name: string;
  folder: string;
}

export const recordedAgents = Object.keys(converters);

export function recordingsOf(agent: string): Recording[] {
  const below = agent === "codex" ? `${agent}/app-server/` : `${agent}/`;
  const root = fileURLToPath(new URL(`../../adapters/recordings/${below}`, import.meta.url));
  return readdirSync(root).map((name) => ({ agent, name, folder: `${root}${name}` }));
}

/** The agent's adapter, whose lives are led line by line: the converter is the real one, the program is whoever speaks. */
export function recordedAdapter(agent: string, inputs: readonly RecordedInput[]): { adapter: Adapter; line: Speaker } {
  const known = adapters[agent];
  if (known === undefined) throw new Error(`There is no adapter for ${agent}`);
  const speaker = new Speaker();
  const converter = converters[agent]?.(inputs) as AnyConverter;
  const open: Adapter["open"] = (_, { resume, signal }) =>
    openLife({ channel: speaker.channel(), converter, facts: () => ({ ready: true }), resume, signal });
  return { adapter: { ...known, check: async () => {}, open }, line: speaker };
}

/** Speaks in the place of the program. A life that is opened after the end has nothing to say. */
class Speaker {
  #receiver: LineReceiver | undefined;
  #isOver = false;

  channel(): LineChannel<unknown> {
    return {
      open: (receiver) => {
        this.#receiver = receiver;
        if (this.#isOver) this.end();
        else receiver.lines([]);
      },
      pause: () => {},
      resume: () => {},
      write: async () => {},
      end: async () => this.end(),
    };
  }

  say(lines: readonly string[]): void {
    this.#receiver?.lines(lines);
  }

  end(): void {
    this.#isOver = true;
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.exit({ exitCode: 0, signal: null, stderr: { head: "", tail: "", truncated: false, totalLines: 0 } });
  }
}

function opencodeSettings(inputs: readonly RecordedInput[]) {
  const first = inputs.find((input) => "line" in input);
  const line: unknown = JSON.parse(first !== undefined && "line" in first ? first.line : "{}");
  const nativeSessionId = sessionOf(eventOf(line)?.properties) ?? "";
  const model = { providerID: "mock", modelID: "m1" };
  return { nativeSessionId, directory: "/workspace", ...model, permissionMode: "default" as const, mcpServers: [] };
}
