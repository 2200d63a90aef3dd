import { fileURLToPath, pathToFileURL } from "node:url";
import { eventTypes, jsonSchema, operationIds } from "@muster/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LanguageServer, type Position } from "./language-server.ts";

/** What an editor shows of the client: the built declarations of `@muster/client`, read by TypeScript's language server. */
interface Shape {
  properties?: Record<string, { $ref?: string; items?: { $ref?: string } }>;
}

const shapes = (jsonSchema() as { $defs: Record<string, Shape> }).$defs;
const uri = pathToFileURL(fileURLToPath(new URL("./editor-words-sample.ts", import.meta.url))).href;
let server: LanguageServer;
beforeAll(async () => {
  server = await LanguageServer.start();
}, 60_000);
afterAll(() => server?.stop());

test("every option of create, every field of every event and every operation has words where the pointer rests", async () => {
  const options = pathsOf("CreateSession").map((path) => `options.${path}`);
  const events = eventTypes.map((type) => ({ type, paths: pathsOf(dataOf(type)).map((path) => `event.data.${path}`) }));
  const operations = operationIds.map((id) => `daemon.client.${id}`);
  const lines = [
    'import type { CreateSession, SandboxDaemon, UniversalEvent } from "@muster/client";',
    "declare const options: CreateSession;",
    "declare const event: UniversalEvent;",
    "declare const daemon: SandboxDaemon;",
    ...[...options, ...operations].map((path) => `void ${path};`),
    ...events.flatMap(({ type, paths }) => [
      `if (event.type === "${type}") {`,
      ...["event.data", "event.sequence", "event.turnId", "event.raw", ...paths].map((path) => `void ${path};`),
      "}",
    ]),
  ];
  server.open(uri, lines.join("\n"));
  const silent: string[] = [];
  let read = 0;
  for (const [line, text] of lines.entries()) {
    if (!text.startsWith("void ")) continue;
    const hover = await server.hover(uri, { line, character: text.length - 2 });
    read++;
    if (!hasWords(hover)) silent.push(`${text} ${hover}`);
  }
  expect(silent).toEqual([]);
  expect(read).toBeGreaterThan(150);
});

test("the names of agents, permission modes and options complete, each option with its words", async () => {
  const text = [
    'import { SandboxDaemon } from "@muster/client";',
    'const daemon = SandboxDaemon.connect({ endpoint: "http://127.0.0.1:2468" });',
    'daemon.session({ agent: "", permissionMode: "" });',
    'daemon.session({ agent: "claude",  });',
  ];
  const sample = uri.replace("sample", "completion");
  server.open(sample, text.join("\n"));
  const labels = async (position: Position) =>
    (await server.complete(sample, position)).map(({ label }) => unquoted(label));
  expect(await labels({ line: 2, character: (text[2]?.indexOf('""') as number) + 1 })).toEqual(
    expect.arrayContaining(["claude", "codex", "opencode", "amp", "codebuff", "mock"]),
  );
  expect(await labels({ line: 2, character: (text[2]?.lastIndexOf('""') as number) + 1 })).toEqual(
    expect.arrayContaining(["default", "acceptEdits", "plan", "bypass"]),
  );
  const offered = await server.complete(sample, { line: 3, character: (text[3]?.indexOf(",") as number) + 2 });
  const wanted = Object.keys(shapes.CreateSession?.properties ?? {}).filter((name) => name !== "agent");
  for (const name of wanted) {
    const item = offered.find(({ label }) => label === name || label === `${name}?`);
    expect([name, item && (await server.words(item))]).toEqual([name, expect.stringMatching(/\w/)]);
  }
});

test("what a hover shows are names: Session, not its fields", async () => {
  const text = [
    'import { SandboxDaemon } from "@muster/client";',
    "declare const daemon: SandboxDaemon;",
    "void daemon.client.sessions.get;",
  ];
  const sample = uri.replace("sample", "names");
  server.open(sample, text.join("\n"));
  const hover = await server.hover(sample, { line: 2, character: (text[2]?.length ?? 0) - 2 });
  expect(hover).toContain("fields: SessionsGetFields, options?: CallOptions): Promise<Session>");
});

/** The fields of a shape and of those in it, as they are written behind a dot; lists and records are not entered. */
function pathsOf(name: string, before = ""): string[] {
  return Object.entries(shapes[name]?.properties ?? {}).flatMap(([field, { $ref }]) => {
    const inner = $ref === undefined ? [] : pathsOf($ref.split("/").at(-1) ?? "", `${before}${field}?.`);
    return [`${before}${field}`, ...inner];
  });
}

function dataOf(type: string): string {
  const name = type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return name === "Error" ? "ErrorReported" : name;
}

/** More than the signature, which is in a fence. */
function hasWords(hover: string): boolean {
  return /\w/.test(hover.replaceAll(/```[\s\S]*?```/g, ""));
}

function unquoted(label: string): string {
  return label.replaceAll('"', "");
}
