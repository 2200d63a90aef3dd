/** The settings of `codebuff` as a page and as JSON Schemas for editors; both come from the zod schemas. */

/** path → text of what is derived from the schemas of settings. */
export function settingsFiles({ settingsFiles: files, settingKeys, settingsJsonSchema, command }) {
  const schemas = Object.keys(files).map((name) => [
    `codebuff/protocol/generated/${name}-settings.schema.json`,
    `${JSON.stringify({ $comment: `made by ${command}`, ...settingsJsonSchema(name) }, null, 2)}\n`,
  ]);
  return {
    "docs/codebuff/configuration.md": settingsPage({ files, settingKeys, command }),
    ...Object.fromEntries(schemas),
  };
}

function settingsPage({ files, settingKeys, command }) {
  const tables = Object.entries(files).map(([name, { path }]) => {
    const keys = settingKeys(name);
    const ways = keys.some(({ flag, env, slash }) => flag ?? env ?? slash);
    const head = ways
      ? "| key | takes | meaning | elsewhere |\n|---|---|---|---|"
      : "| key | takes | meaning |\n|---|---|---|";
    const rows = keys.map((row) => `| ${cells(row, ways).join(" | ")} |`);
    return `## \`${path}\`\n\n${introductions[name]}\n\n${head}\n${rows.join("\n")}\n`;
  });
  return `<!-- made by ${command} -->
# Settings of \`codebuff\`

Every setting that stands in a file, and the flag, the variable and the slash command that say the same. What is nearer wins:
a flag before a variable, a variable before \`codebuff.json\` of the project, that before \`~/.codebuff/config.json\`, that before
the default. Files are JSON; comments and commas at the end are fine.

\`\`\`sh
codebuff config                                   # every setting, its value, and where that comes from
codebuff config set permissions accept-edits      # kept in ~/.codebuff/config.json; comments in it stay
codebuff config set --project maxAgentSteps 40    # kept in codebuff.json of this project
codebuff config get permissions.mode
codebuff config unset permissions
codebuff config path                              # where the files are
codebuff config schema project > /dev/null        # the JSON Schema of a file, for editors
\`\`\`

In the chat \`/config\` lists them, and \`/config key value\` keeps one and uses it at once. A key nobody knows and a value that
does not fit are told with file and line (\`codebuff config\` ends with 1 then); what is wrong is left out, the rest holds. Where
a rule is wrong, no rule of that file allows anything, and those that deny or ask hold. A wrong variable is a wrong flag: exit
code 2, nothing is begun.

The SDK takes keys, providers, subscriptions, hooks, agents and rules from these files; mode, model, effort, theme and policy are
given to it as options.

${tables.join("\n")}
Editors check a file that names its schema:
\`{ "$schema": "…/codebuff/protocol/generated/user-settings.schema.json" }\`; \`codebuff config schema\` prints the schema.
`;
}

const introductions = {
  user: "Yours, for every project. Only you should be able to read it. It may be a link.",
  project:
    "Of a project, to be committed (`codebuff.jsonc` is read where there is no `codebuff.json`). It can name no address, no key and no policy, and\n[what it would run or allow](permissions.md#trust) waits until you have trusted the project. A link is not read.",
  permissions:
    'What was answered with "Always in this project": [rules](permissions.md#rules). Commit it if your colleagues should be offered the same;\nwhat it allows counts for nobody who has not accepted it. A link is not read.',
};

function cells({ key, type, description, default: value, flag, env, slash }, ways) {
  const said = value === undefined || isEmpty(value) ? description : `${description} (${JSON.stringify(value)})`;
  const elsewhere = [flag, env, slash].filter((way) => way !== undefined).map((way) => `\`${way}\``);
  return [`\`${key}\``, type, said, ...(ways ? [elsewhere.join(" · ")] : [])].map((cell) =>
    cell.replaceAll("|", "\\|"),
  );
}

function isEmpty(value) {
  return typeof value === "object" && Object.keys(value).length === 0;
}
