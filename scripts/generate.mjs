/** `npm run generate`: writes what is derived from the schemas; with `--check` it only tells whether that is current. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiPages } from "./api-pages.mjs";
import { cliPage } from "./cli-page.mjs";
import { chatPage } from "./codebuff/chat-page.mjs";
import { lineFiles } from "./codebuff/lines-page.mjs";
import { leftOutPage } from "./left-out-page.mjs";
import { prepare, root, run } from "./prepare.mjs";
import { pythonFiles } from "./python/generate.mjs";
import { settingsFiles } from "./settings-page.mjs";
import { clientTypeFiles } from "./typescript/client-types.mjs";
import { typescriptFiles } from "./typescript/operations.mjs";
import { projectFiles } from "./typescript/projects.mjs";

const command = "npm run generate";
const isCheck = process.argv.includes("--check");
prepare({ build: false });
if (!isCheck) write(projectFiles());
run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", "daemon/schema"]);
const {
  Capabilities,
  causes,
  eventTypes,
  jsonSchema,
  observedCapabilities,
  openApi,
  operations,
  PermissionMode,
  problems,
  accessProblemsOf,
} = await import("@muster/schema");
// First: the client does not compile while its table is not that of the schema, and what follows needs it built.
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const openapi = openApi(version);
const schema = jsonSchema();
const clientFiles = {
  ...typescriptFiles({ operations, command }),
  ...clientTypeFiles({ schema, openapi, operations, eventTypes, command }),
};
if (!isCheck) write(clientFiles);
prepare();
// By its path: the scripts belong to no package.
const { adapters } = await import("../daemon/adapters/dist/index.js");
const { converters } = await import("../daemon/adapters/dist/converters.js");
const protocol = await import("../codebuff/protocol/dist/index.js");
const { slashCommands } = await import("../codebuff/cli/dist/slash/table.js");
const { groups } = await import("../codebuff/cli/dist/slash/slash-command.js");
const { keymap } = await import("../codebuff/cli/dist/input/key-table.js");
const { keyPlaces } = await import("../codebuff/cli/dist/slash/other.js");

const files = {
  "daemon/schema/generated/openapi.json": pretty({ "x-generated-by": command, ...openapi }),
  "daemon/schema/generated/schema.json": pretty({ $comment: `made by ${command}`, ...schema }),
  ...projectFiles(),
  ...versionFiles(),
  "docs/problems.md": problemsPage(),
  "docs/agents/matrix.md": matrixPage(),
  "docs/reference/left-out.md": leftOutPage({ converters, command }),
  "docs/reference/cli.md": cliPage({ operations, command }),
  ...settingsFiles({ ...protocol, command }),
  ...lineFiles({ ...protocol, command }),
  "docs/codebuff/chat.md": chatPage({ slashCommands, groups, keymap, keyPlaces, command }),
  ...apiPages({ operations, openapi, problems, command, accessProblemsOf }),
  ...clientFiles,
  ...pythonFiles({ schema, openapi, operations, command }),
};

if (isCheck) {
  const stale = staleOf(files);
  if (stale.length > 0) {
    process.stderr.write(`Not current, run ${command}:\n${stale.map(([path]) => path).join("\n")}\n`);
    process.exit(1);
  }
} else write(files);

function write(made) {
  for (const [path, text] of staleOf(made)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`wrote ${path}\n`);
  }
}

function staleOf(made) {
  return Object.entries(made).filter(([path, text]) => read(path) !== text);
}

/** As code, not read from package.json: a single executable has no such file beside it. */
function versionFiles() {
  const packages = [
    "daemon/server",
    "daemon/cli",
    "codebuff/cli",
    "codebuff/server",
    "testing/scripted-llm",
    "testing/evals",
  ];
  return Object.fromEntries(
    packages.map((folder) => {
      const { version } = JSON.parse(read(`${folder}/package.json`));
      return [
        `${folder}/src/version.ts`,
        `/** Made by ${command}. */\nexport const version = ${JSON.stringify(version)};\n`,
      ];
    }),
  );
}

function problemsPage() {
  const rows = Object.entries(problems).map(([code, [status, title]]) => `| ${status} | \`${code}\` | ${title} |`);
  const reasons = Object.entries(causes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return `<!-- made by ${command} -->
# Problems

Every failure of a request is an RFC 7807 document of type \`application/problem+json\` with \`type\`, \`title\`,
\`status\`, \`detail\` and \`code\`, and fields such as \`sessionId\` beside them. Programs decide by \`code\`.

| status | code | title |
|---|---|---|
${rows.join("\n")}

\`session_deleted\` is 410 when a deleted session is read and 409 when its id is created again.
\`internal\` carries an \`errorId\` that is also in the daemon's log, and no message.

## Causes

A failure of the agent inside a turn is an event, not an HTTP error. These are the values of \`cause\` in
\`turn.ended\` and of \`code\` in \`error\` events.

| cause | meaning |
|---|---|
${reasons.join("\n")}
`;
}

function matrixPage() {
  const all = Object.values(adapters);
  const sign = (value) => (value ? "yes" : "–");
  const row = (name, values, proof) => `| ${name} | ${values.join(" | ")} | ${proof} |`;
  const line = (name) => {
    const proof = observedCapabilities.includes(name) ? "recorded" : "used or refused";
    const what = `${Capabilities.shape[name].description} (\`${name}\`)`;
    return row(
      what,
      all.map(({ capabilities }) => sign(capabilities[name])),
      proof,
    );
  };
  const names = Object.keys(Capabilities.shape).filter((name) => typeof all[0].capabilities[name] === "boolean");
  const versions = row(
    "major versions that are driven; another one is refused",
    all.map(({ release }) => release.majors.join(", ")),
    "used or refused",
  );
  const lists = [
    versions,
    ...["model", "agentMode", "variant", "permissionMode"].map((setting) =>
      row(
        `\`${setting}\` changes while it runs (\`live\`)`,
        all.map(({ capabilities }) => sign(capabilities.live.includes(setting))),
        "used",
      ),
    ),
    ...PermissionMode.options.map((mode) =>
      row(
        `permission mode \`${mode}\``,
        all.map(({ capabilities }) => sign(capabilities.permissionModes.includes(mode))),
        "used or refused",
      ),
    ),
  ];
  return `<!-- made by ${command} -->
# What each agent can do

The same data as \`capabilities\` in \`GET /agents\`. What an agent cannot be asked for is refused with
\`unsupported_option\` before anything changes.

| | ${all.map(({ name }) => name).join(" | ")} | proved by |
|---|${all.map(() => "---").join("|")}|---|
${[...names.map(line), ...lists].join("\n")}

**recorded**: it comes in a recorded life of the agent, or in none of them
([capabilities.test.ts](../../daemon/adapters/test/capabilities.test.ts)).
**used**: the real agent does it: the contract of all adapters
([adapter-contract.ts](../../testing/conformance/src/adapter-contract.ts): interrupt, steer, resume), settings and
attachments that reach the model and changes while it runs
([capabilities.agent.test.ts](../../daemon/server/test/agents/capabilities.agent.test.ts)), permission modes
([permission-modes.agent.test.ts](../../daemon/server/test/agents/permission-modes.agent.test.ts)), structured output
([claude-settings.agent.test.ts](../../daemon/server/test/agents/claude/claude-settings.agent.test.ts)); of the mock all of it
([mock-capabilities.test.ts](../../daemon/server/test/agents/mock-capabilities.test.ts)). The tests are named by agent and row.
**OpenCode 2** is driven by the same adapter. Its rows were recorded from its public source and not from the released program; it has no
todo list and tells the output of a command at its end. What is proved and what is not: [opencode.md](opencode.md#opencode-2).
**refused**: [unsupported-options.test.ts](../../daemon/server/test/agents/unsupported-options.test.ts); versions:
[driven-versions.test.ts](../../daemon/adapters/src/install/driven-versions.test.ts).
`;
}

function read(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
