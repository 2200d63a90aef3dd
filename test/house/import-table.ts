/**
 * Who may import whom: a package may import the packages in its row and nothing else of ours. A package without a row
 * fails the test, so that a new package is given its place here first; a row may be there before its package.
 * `daemon/client/inline` and `daemon/client/node` are entries with rows of their own: the main entry stays safe for a browser.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = withFloor({
  "base/core": [],
  "base/node": ["base/core"],
  "base/telemetry": [],
  "base/sql": [],
  "base/objects": [],
  "machine/terminal": [],
  "machine/snapshots": [],
  "machine/confinement": [],
  "models/metering": [],
  "models/forwarding": ["models/metering"],
  "web/parts": [],
  "daemon/schema": [],
  "daemon/log": ["daemon/schema"],
  "daemon/adapters": ["daemon/schema", "machine/confinement"],
  "daemon/engine": ["daemon/adapters", "daemon/log", "daemon/schema", "machine/snapshots"],
  "daemon/http": ["daemon/schema", "base/telemetry"],
  "daemon/gateway": ["daemon/schema", "models/metering", "models/forwarding"],
  "daemon/sandbox": ["daemon/schema", "daemon/log", "machine/terminal", "machine/confinement"],
  "daemon/archive": ["daemon/schema", "daemon/log", "machine/snapshots", "base/objects"],
  "daemon/mirror": ["daemon/schema", "daemon/log"],
  "daemon/server": [
    "daemon/engine",
    "daemon/adapters",
    "daemon/log",
    "daemon/http",
    "daemon/schema",
    "daemon/gateway",
    "daemon/sandbox",
    "daemon/archive",
    "daemon/mirror",
    "base/telemetry",
  ],
  "daemon/client": ["daemon/schema"],
  "daemon/client/inline": ["daemon/schema", "daemon/server"],
  "daemon/client/node": ["daemon/schema"],
  "daemon/inspector": ["daemon/client", "daemon/schema", "web/parts"],
  "daemon/cli": ["daemon/client", "daemon/server", "daemon/schema"],
  "hub/server": ["daemon/schema", "daemon/http", "base/sql", "base/objects", "base/telemetry"],
  "codebuff/protocol": [],
  "codebuff/agents": ["codebuff/protocol"],
  "codebuff/runtime": ["codebuff/protocol"],
  "codebuff/workspace": ["codebuff/protocol", "machine/terminal", "machine/snapshots", "machine/confinement"],
  "codebuff/memory": ["codebuff/protocol", "base/sql"],
  "codebuff/sdk": [
    "codebuff/runtime",
    "codebuff/workspace",
    "codebuff/agents",
    "codebuff/protocol",
    "codebuff/memory",
    "machine/snapshots",
    "machine/terminal",
    "models/metering",
  ],
  "codebuff/server": [
    "codebuff/runtime",
    "codebuff/agents",
    "codebuff/protocol",
    "models/metering",
    "models/forwarding",
    "base/sql",
    "base/telemetry",
    "web/parts",
    "testing/scripted-llm",
  ],
  "codebuff/cli": [
    "codebuff/sdk",
    "codebuff/workspace",
    "codebuff/protocol",
    "machine/terminal",
    "testing/scripted-llm",
  ],
  "testing/chaos": [],
  "testing/scripted-llm": [],
  "testing/scripted-s3": [],
  "testing/conformance": ["daemon/schema", "daemon/adapters", "daemon/client"],
  "testing/evals": ["daemon/client", "machine/confinement", "testing/scripted-llm"],
  "integrations/ai-sdk": ["daemon/client"],
});

/** Rows that must run in a browser: nothing of Node. */
export const forBrowsers: readonly string[] = ["base/core", "web/parts", "daemon/schema", "daemon/client"];

/** Only for tests: no src of a product imports it. */
export const forTests: readonly string[] = ["testing/conformance", "testing/chaos", "testing/scripted-s3"];

/**
 * Imports that are only allowed lazily, by `import()`: loading them is too dear for every start. Packages of ours, or the
 * scope of others' ones: base/telemetry is small itself, and loads OpenTelemetry for whoever has an endpoint.
 */
export const onlyLazily: Readonly<Record<string, readonly string[]>> = {
  "daemon/cli": ["daemon/server"],
  "base/telemetry": ["@opentelemetry/"],
  "daemon/server": ["daemon/gateway", "daemon/sandbox", "daemon/archive", "daemon/mirror"],
  "codebuff/sdk": ["codebuff/memory"],
  "codebuff/cli": ["testing/scripted-llm"],
  "codebuff/server": ["testing/scripted-llm"],
};

/** Rows that may import no third-party package either. */
export const withoutPackages: readonly string[] = ["base/core", "base/node"];

/** Words of the domain: no source of base/ has one of them. */
export const wordsOfTheDomain =
  /\b(sessions?|turns?|agents?|adapters?|tools?|permissions?|questions?|credits?|models?|codebuff|muster|claude|codex|opencode|amp)\b/i;

/** Names of a third-party package that are words of the domain too: kysely's dialect has an `adapter`. */
export const namesOfOthers: Readonly<Record<string, RegExp>> = { "base/sql": /\badapter\b/g };

/** Everybody stands on the floor: `base/core`, and `base/node` for what runs on Node. */
function withFloor(rows: Record<string, readonly string[]>): Record<string, readonly string[]> {
  const ofBrowser = ["base/core", "web/parts", "daemon/schema", "daemon/client", "integrations/ai-sdk"];
  return Object.fromEntries(
    Object.entries(rows).map(([row, own]) => {
      if (row === "base/core" || row === "base/node") return [row, own];
      return [row, [...own, "base/core", ...(ofBrowser.includes(row) ? [] : ["base/node"])]];
    }),
  );
}
