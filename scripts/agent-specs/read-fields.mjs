/** Which fields of which lines our converters read, found by replaying the recordings with lines that tell what is read. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

const adapters = join(root, "daemon/adapters");
const converter = (agent) => import(join(adapters, `dist/${agent}/converter.js`));

/** agent → its converter for a recorded life, and the name of a line. */
export const agents = {
  claude: {
    nameOf: (line) => [line.type, line.subtype ?? line.event?.type].filter(Boolean).join("/"),
    converter: async () => (await converter("claude")).claudeConverter,
  },
  codex: {
    nameOf: (line) => line.method ?? (line.error === undefined ? "response" : "error response"),
    converter: async () => (await converter("codex")).codexConverter({ permissionMode: "default" }),
  },
  opencode: {
    nameOf: (line) => (line.payload ?? line).type ?? "answer",
    converter: async (lines) => {
      const { eventOf, sessionOf } = await import(join(adapters, "dist/opencode/read/native.js"));
      const nativeSessionId = sessionOf(eventOf(lines[0])?.properties) ?? "";
      const place = { nativeSessionId, directory: "/workspace", providerID: "mock", modelID: "m1" };
      const more = { permissionMode: "default", contextWindow: 128_000, mcpServers: [] };
      return (await converter("opencode")).opencodeConverter({ ...place, ...more });
    },
  },
  amp: {
    nameOf: (line) => (line.type === "system" ? `system/${line.subtype}` : line.type),
    converter: async () => (await converter("amp")).ampConverter,
  },
  codebuff: {
    nameOf: (line) => line.type,
    converter: async () => (await converter("codebuff")).codebuffConverter,
  },
};

/** Line → the fields that are read: those every recorded line of that name has, and those some have. */
export async function fieldsRead(agent) {
  const seen = new Map();
  for (const inputs of lives(agent)) {
    const lines = inputs.flatMap((input) => (input.line === undefined ? [] : [parse(input.line)]));
    const machine = await agents[agent].converter(lines.filter(Boolean));
    let state = machine.initial();
    for (const input of inputs) {
      const native = input.line === undefined ? undefined : parse(input.line);
      if (input.command !== undefined) state = machine.step(state, { command: input.command }).state;
      if (typeof native !== "object" || native === null) continue;
      const reads = new Set();
      state = machine.step(state, { native: telling(native, "", reads) }).state;
      note(seen, agents[agent].nameOf(native), [...reads]);
    }
  }
  return Object.fromEntries([...seen].sort().map(([name, { always, all }]) => [name, split(always, all)]));
}

function note(seen, name, reads) {
  const known = seen.get(name) ?? { always: new Set(reads), all: new Set() };
  known.always = new Set(reads.filter((field) => known.always.has(field)));
  for (const field of reads) known.all.add(field);
  seen.set(name, known);
}

function split(always, all) {
  return { always: [...always].sort(), sometimes: [...all].filter((field) => !always.has(field)).sort() };
}

/** The same value; what is read of it, and is there, is added to `reads` as `a.b[].c`. What people and tools wrote is not looked into. */
function telling(value, path, reads) {
  if (typeof value !== "object" || value === null || /(^|\.)(input|arguments|params\.item\.changes)$/.test(path))
    return value;
  return new Proxy(value, {
    get(target, key) {
      const found = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof found === "function" || !Object.hasOwn(target, key)) return found;
      const place = Array.isArray(target) ? `${path}[]` : path === "" ? key : `${path}.${key}`;
      if (!Array.isArray(target)) reads.add(place);
      return telling(found, place, reads);
    },
  });
}

function lives(agent) {
  const folder = join(adapters, "recordings", agent);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("native.jsonl") && !path.startsWith("exec"))
    .sort()
    .map((path) => readFileSync(join(folder, path), "utf8").split("\n").filter(Boolean).map(parse));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    // A recording of a broken line.
    return undefined;
  }
}
