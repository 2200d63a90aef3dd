/** The reference of the API from the operations table: one page per operation, path → text. */
import { snake } from "./python/types.mjs";

export function apiPages({ operations, openapi, problems, command, accessProblemsOf }) {
  const calls = Object.entries(operations).map(([id, operation]) => ({
    id,
    operation,
    fields: fieldsOf(operation, openapi),
  }));
  return Object.fromEntries([
    ["docs/api/README.md", indexPage(calls, command)],
    ["docs/api/types.md", typesPage(openapi, command)],
    ...calls.map((call) => [`docs/api/${call.id}.md`, page(call, openapi, { problems, accessProblemsOf }, command)]),
  ]);
}

function fieldsOf({ path, method, madeParam, takesBytes }, openapi) {
  const described = openapi.paths[path][method.toLowerCase()];
  const body = described.requestBody && !takesBytes && resolve(openapi, contentOf(described.requestBody));
  return [
    ...(takesBytes ? [content] : []),
    ...(described.parameters ?? []).map(({ name: given, in: place, schema, description, required: isRequired }) => {
      const required = isRequired && given !== madeParam;
      const name = given.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
      return { name, place, schema, about: description ?? schema.description, required };
    }),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => {
      const required = body.required?.includes(name) === true;
      return { name, place: "body", schema, about: schema.description, required };
    }),
  ];
}

const content = {
  name: "content",
  place: "body",
  schema: { type: "bytes" },
  about: "The bytes that are sent",
  required: true,
};

function indexPage(calls, command) {
  const rows = calls.map(
    ({ id, operation }) => `| [${id}](${id}.md) | \`${operation.method} ${operation.path}\` | ${operation.summary} |`,
  );
  return `<!-- made by ${command} -->
# The API

Every operation of the daemon, as HTTP, TypeScript and Python. Every path is also served under \`/v1\`; the whole is
[openapi.json](../../daemon/schema/generated/openapi.json), and what they take and give is in [types](types.md). The examples take these for granted:

\`\`\`sh
export U=http://127.0.0.1:2468 T="Authorization: Bearer $(cat ~/.local/share/muster/token)"
\`\`\`

\`\`\`ts
const daemon = SandboxDaemon.connect({ endpoint, token }); // @muster/client
\`\`\`

\`\`\`python
daemon = muster.connect(endpoint, token)
\`\`\`

| operation | request | |
|---|---|---|
${rows.join("\n")}
`;
}

function page({ id, operation, fields }, openapi, problems, command) {
  const { method, path, madeParam, summary, description, answer } = operation;
  const made = madeParam === undefined ? "" : `, or without \`/{${madeParam}}\``;
  const parts = [
    `<!-- made by ${command} -->\n# ${id}`,
    `${summary}.`,
    description,
    `\`${method} ${path}\`${made} · \`sandbox-daemon ${operation.cli.join(" ")}\`${operation.scope === "public" ? " · needs no token" : ` · scope \`${operation.scope}\``}`,
    fields.length > 0 && fieldTable(fields, openapi),
    `**Answer**: ${answerText(operation, openapi)}`,
    `**Problems**: ${problemText(operation, problems)}`,
    `\`\`\`sh\n${curl(operation, fields)}\n\`\`\``,
    `\`\`\`ts\n${typescript(id, answer, fields)}\n\`\`\``,
    answer === "ui"
      ? "In Python: none, this stream is the AI SDK's ([docs/ai-sdk.md](../ai-sdk.md))."
      : `\`\`\`python\n${python(id, answer, fields)}\n\`\`\``,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function fieldTable(fields, openapi) {
  const rows = fields.map(
    ({ name, place, schema, about, required }) =>
      `| \`${name}\` | ${place} | ${typeText(schema, openapi)} | ${required ? "yes" : ""} | ${cell(about ?? "")} |`,
  );
  return `| field | in | type | required | |\n|---|---|---|---|---|\n${rows.join("\n")}`;
}

function answerText({ answer, status, path, method }, openapi) {
  if (answer === "empty") return `${status}, nothing.`;
  if (answer === "bytes") return `${status}, the bytes (\`application/octet-stream\`).`;
  const described = openapi.paths[path][method.toLowerCase()].responses[status];
  if (answer === "text") return `${status}, text (\`${Object.keys(described.content)[0]}\`).`;
  const content = contentOf(described);
  const type = typeText(/Answer$/.test(content.$ref) ? resolve(openapi, content) : content, openapi);
  if (answer === "sse") return `${status}, a stream of server-sent events, each ${type}.`;
  if (answer === "ui")
    return `${status}, the AI SDK's stream of chunks up to \`[DONE]\`; 204 when there is nothing to tell.`;
  return `${status}, ${type}.`;
}

function problemText(operation, { problems, accessProblemsOf }) {
  const all = [...new Set(["invalid_request", ...accessProblemsOf(operation), ...operation.problems])];
  return `${all.map((code) => `\`${code}\` (${problems[code][0]})`).join(", ")}; see [problems](../problems.md).`;
}

/** Values that work as they stand once the ids exist. */
const samples = {
  agent: "mock",
  session: "s1",
  path: "notes.txt",
  from: "notes.txt",
  to: "old-notes.txt",
  query: "hello",
  content: "hello",
  sessionId: "s1",
  messageId: "m1",
  questionId: "question_1",
  permissionId: "permission_1",
  tokenId: "tok_1a2b3c",
  attachment: "5f0c2a-1",
  processId: "build",
  command: "ls",
  columns: 100,
  rows: 30,
  scope: "read",
  message: "Say hello",
  answers: [["Red"]],
  reply: "once",
  id: "s1",
  ticket: "the-ticket-of-a-page",
  sourceId: "s1",
  messages: [{ role: "user", parts: [{ type: "text", text: "Say hello" }] }],
};

/** `to` is a turn of a session, or a path. */
function sampleOf(name, schema) {
  if (name === "to" && schema?.type === "integer") return 0;
  if (name in samples) return samples[name];
  throw new Error(`${name} needs a value for the examples of the API's pages: add it to samples`);
}

/** What must be given, and what may be left out of the path but is better known. */
function given(fields) {
  const inDirectory = fields.some(({ name }) => name === "session");
  const isShown = (name) => inDirectory && (name === "session" || name === "path");
  return fields.filter(({ name, required, place }) => required || place === "path" || isShown(name));
}

function curl({ method, path, body, takesBytes, answer, scope }, fields) {
  const inQuery = given(fields).filter(({ place }) => place === "query");
  const query = new URLSearchParams(inQuery.map(({ name, schema }) => [name, sampleOf(name, schema)]));
  const bare = path.replaceAll(/\{(\w+)\}/g, (_, name) => sampleOf(name));
  const url = query.size > 0 ? `${bare}?${query}` : bare;
  const inBody = given(fields).filter(({ place }) => place === "body");
  const values = Object.fromEntries(inBody.map(({ name, schema }) => [name, sampleOf(name, schema)]));
  const words = ["curl", answer === "sse" || answer === "ui" ? "-sN" : "-s", scope === "public" ? "" : '-H "$T"'];
  if (method !== "GET") words.push(`-X ${method}`);
  if (takesBytes) words.push("--data-binary @notes.txt");
  if (body !== undefined) {
    words.push("-H 'content-type: application/json'", `-d '${JSON.stringify(values)}'`);
  }
  return [...words.filter(Boolean), `"$U${url}"`].join(" ");
}

function typescript(id, answer, fields) {
  const values = given(fields).map(({ name, schema }) => `${name}: ${JSON.stringify(sampleOf(name, schema))}`);
  const call = `daemon.client.${id}(${values.length > 0 ? `{ ${values.join(", ")} }` : ""})`;
  if (id === "files.watch") return `for await (const change of ${call}) console.log(change.type, change.path);`;
  if (id === "processes.streamLogs")
    return `for await (const chunk of ${call}) console.log(chunk.type, chunk.sequence);`;
  if (answer === "sse") return `for await (const event of ${call}) console.log(event.type, event.data);`;
  if (answer === "bytes") return `const answer = await ${call};\nconst bytes = await answer.bytes();`;
  if (answer === "ui") return `for await (const chunk of ${call}) console.log(chunk.type);`;
  return answer === "empty" ? `await ${call};` : `const answer = await ${call};`;
}

function python(id, answer, fields) {
  const method = id.split(".").map(snake).join(".");
  const values = given(fields).map(({ name, place, schema }) => {
    const value = JSON.stringify(sampleOf(name, schema));
    return place === "path" ? value : `${snake(name)}=${value}`;
  });
  const call = `daemon.client.${method}(${values.join(", ")})`;
  if (id === "files.watch") return `for change in ${call}:\n    print(change["type"], change.get("path"))`;
  if (answer === "sse") return `for event in ${call}:\n    print(event["type"], event["data"])`;
  if (answer === "bytes") return `with ${call} as answer:\n    data = answer.read()`;
  return answer === "empty" ? call : `answer = ${call}`;
}

/** Every named shape with the words of its fields. */
function typesPage(openapi, command) {
  const shapes = Object.entries(openapi.components.schemas).filter(([, schema]) => schema.properties ?? schema.oneOf);
  const parts = shapes.map(([name, schema]) => {
    const words = `## ${name}\n\n${schema.description}.`;
    if (schema.properties === undefined) return `${words}\n\nOne of ${typeText(schema, openapi)}.`;
    const rows = Object.entries(schema.properties).map(
      ([field, value]) =>
        `| \`${field}\` | ${typeText(value, openapi)} | ${schema.required?.includes(field) ? "yes" : ""} | ${cell(value.description ?? "")} |`,
    );
    return `${words}\n\n| field | type | always | |\n|---|---|---|---|\n${rows.join("\n")}`;
  });
  return `<!-- made by ${command} -->
# Types of the API

What the operations take and give, by the names they have in TypeScript, Python and OpenAPI. A newer daemon may send types
and fields that are not listed.

${parts.join("\n\n")}
`;
}

/** A schema in a few words; a list of words is told itself, another named one by its name. */
function typeText(schema, openapi) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    const named = resolve(openapi, schema);
    if (named.properties === undefined && named.oneOf === undefined) return typeText(named, openapi);
    return `[\`${name}\`](types.md#${name.toLowerCase()})`;
  }
  if (schema.examples) return `string: ${schema.examples.map((value) => `\`${value}\``).join(" ")} …`;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(" ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf ?? schema.oneOf)
    return (schema.anyOf ?? schema.oneOf).map((member) => typeText(member, openapi)).join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {}, openapi)}`;
  if (schema.type !== "object") return schema.type ?? "anything";
  const fields = Object.entries(schema.properties ?? {});
  const mark = (name) => (schema.required?.includes(name) ? "" : "?");
  if (fields.length === 0) return "object";
  return `{${fields.map(([name, field]) => `${name}${mark(name)}: ${typeText(field, openapi)}`).join(", ")}}`;
}

function contentOf(message) {
  return Object.values(message.content)[0].schema;
}

function resolve(openapi, schema) {
  return schema.$ref === undefined ? schema : openapi.components.schemas[schema.$ref.split("/").at(-1)];
}

/** Text for a cell of a table. */
function cell(text) {
  return text.replaceAll("|", "\\|");
}
