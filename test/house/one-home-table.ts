/**
 * Concept → the one file that declares it. A second function, class or constant of that name fails: import it, or give
 * another meaning another name.
 */
export const homes: Readonly<Record<string, string>> = {
  untilAborted: "base/core/src/until-aborted.ts",
  settlesWithin: "base/core/src/settles-within.ts",
  messageOf: "base/core/src/errors.ts",
  parseJson: "base/core/src/json.ts",
  isRecord: "base/core/src/json.ts",
  quoteForShell: "base/core/src/text/quote-for-shell.ts",
  readFrames: "base/core/src/sse/read-frames.ts",
  formatFrames: "base/core/src/sse/format-frames.ts",
  secretForms: "base/core/src/secrets/secret-forms.ts",
  redactKnown: "base/core/src/secrets/redact.ts",
  redactShapes: "base/core/src/secrets/redact.ts",
  LineSplitter: "base/node/src/lines/line-splitter.ts",
  readLines: "base/node/src/lines/read-lines.ts",
  takePidLock: "base/node/src/locks/pid-lock.ts",
  readProcessTable: "base/node/src/processes/process-table.ts",
  startTimeOf: "base/node/src/processes/process-table.ts",
  bootId: "base/node/src/processes/boot-id.ts",
  sendSignal: "base/node/src/processes/send-signal.ts",
  signalGroup: "base/node/src/processes/send-signal.ts",
  replaceFile: "base/node/src/files/replace-file.ts",
  makeDirectories: "base/node/src/files/directories.ts",
  runGit: "base/node/src/git/run-git.ts",
  BorrowedRepository: "base/node/src/git/borrowed-repository.ts",
  readBody: "base/node/src/http-body.ts",
  FrameCutter: "base/node/src/sse/frame-cutter.ts",
  SerialQueue: "base/node/src/serial-queue.ts",
  readBodyPieces: "base/node/src/http-body.ts",
  redactForms: "base/core/src/secrets/redact.ts",
  redactValues: "base/core/src/secrets/redact.ts",
  startMetrics: "base/telemetry/src/otlp/start-metrics.ts",
  readProcessTableNow: "base/node/src/processes/process-table.ts",
  endOfJsonString: "base/node/src/end-of-json-string.ts",
  parseProxy: "base/node/src/network/proxy.ts",
  isProxyExempt: "base/node/src/network/proxy.ts",
  paintFor: "base/core/src/text/paint.ts",
  startTracing: "base/telemetry/src/otlp/start-tracing.ts",
  charactersPerToken: "models/metering/src/rough-tokens.ts",
  usualCharactersPerToken: "codebuff/protocol/src/messages/tokens.ts",
};

/** Code that tells a copy apart whatever its name; `allowed` has the ends of paths and why each may have it. */
export const patterns: readonly {
  what: string;
  pattern: RegExp;
  instead: string;
  allowed: Readonly<Record<string, string>>;
}[] = [
  {
    what: "reading /proc/<pid>/stat",
    pattern: /\/proc\/[^"'`\s]*\/stat\b/,
    instead: "readProcessTable, startTimeOf",
    allowed: { "base/node/src/processes/process-table.ts": "its home" },
  },
  {
    what: "finding processes by their environment",
    pattern: /\/proc\/\$\{[^}]*\}\/environ\b/,
    instead: "readProcessTable",
    allowed: { "base/node/src/processes/process-table.ts": "its home" },
  },
  {
    what: "reading the body of a request",
    pattern: /\b(?:request|incoming)\.on\("data"|for await \(const \w+ of (?:request|incoming)\)/,
    instead: "readBody",
    allowed: { "base/node/src/http-body.ts": "its home" },
  },
  {
    what: "the text of whatever was thrown",
    pattern: /\b(\w+) instanceof Error \? \1\.message\b/,
    instead: "messageOf",
    allowed: { "base/core/src/errors.ts": "its home" },
  },
  {
    what: "a text that may be no JSON",
    pattern: /try \{\s*(?:return|const \w+(?:: unknown)? =) JSON\.parse\((?!JSON)[^;]*;[^}]*\} catch \{\s*return \w+;/,
    instead: "parseJson",
    allowed: { "base/core/src/json.ts": "its home" },
  },
  {
    what: "telling an object with fields from a list and null",
    pattern: /typeof (\w+) === "object" && \1 !== null && !Array\.isArray\(\1\)/,
    instead: "isRecord",
    allowed: {
      "base/core/src/json.ts": "its home",
      "agents/src/steps/messages.ts": "the shipped agents stand on the protocol alone",
    },
  },
  {
    what: "quoting a word for a shell",
    pattern: /replaceAll\("'", ["`]'\\\\''["`]\)/,
    instead: "quoteForShell",
    allowed: {
      "base/core/src/text/quote-for-shell.ts": "its home",
      "cli/src/text/request-text.ts": "what a person chooses is quoted already, and printable",
    },
  },
  {
    what: "the insides of pi-tui, by their paths in one version",
    pattern: /@earendil-works\/pi-tui/,
    instead: "codebuff/cli/src/pi-tui.ts",
    allowed: { "codebuff/cli/src/pi-tui.ts": "their door" },
  },
  {
    what: "a signal to the negative of a pid",
    pattern: /\bprocess\.kill\(\s*-/,
    instead: "signalGroup",
    allowed: {},
  },
  {
    what: "starting git: the settings of a repository would choose what else runs",
    pattern: /child_process[\s\S]*["'`](?:[^"'`\s]*\/)?git(?:["'`]|\s)/,
    instead: "BorrowedRepository, runGit",
    allowed: { "base/node/src/git/run-git.ts": "its home" },
  },
  {
    what: "cutting server-sent events at empty lines",
    pattern: /\.split\((?:"\\n\\n"|\/\\r\?\\n\\r\?\\n\/)\)/,
    instead: "readFrames, FrameCutter",
    allowed: {
      "inline/inline-connection.ts": "whole frames of our own server, handed over inside one process",
      "transcript/items-as-markdown.ts": "paragraphs of Markdown, no events",
    },
  },
];

/** Doors of rooms inside a package: each is to be a package of its own, and its index the door of that. */
export const roomDoors: readonly string[] = [
  "daemon/engine/src/doctor/index.ts",
  "daemon/engine/src/event-log/index.ts",
  "codebuff/workspace/src/terminal/index.ts",
];
