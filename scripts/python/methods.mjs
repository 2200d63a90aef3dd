/** The operations table → Python: the table itself, and one typed method per operation, blocking and for asyncio. */
import { pascal, snake } from "./types.mjs";

/** What a client of ours can read; `ui` is for the AI SDK. */
const answers = ["json", "text", "sse", "bytes", "empty"];

/** The fields of path, query and body of every operation, with their Python types. */
export function callsOf(operations, openapi, types) {
  const ours = Object.entries(operations).filter(([, { answer }]) => answers.includes(answer));
  return ours.map(([id, operation]) => {
    const described = openapi.paths[operation.path][operation.method.toLowerCase()];
    const name = id.split(".").at(-1);
    const body = operation.takesBytes ? undefined : schemaIn(described.requestBody);
    const content = {
      name: "content",
      place: "content",
      type: "Content",
      required: true,
      about: "The bytes that are sent",
    };
    const shape = body && resolve(openapi, body);
    const fields = [
      ...(operation.takesBytes ? [content] : []),
      ...(described.parameters ?? []).map((parameter) => ({
        name: parameter.name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()),
        place: parameter.in,
        type: types.typeOf(parameter.schema, `${pascal(id)}.${parameter.name}`),
        required: parameter.required && parameter.name !== operation.madeParam,
        about: parameter.description,
      })),
      ...Object.entries(shape?.properties ?? {}).map(([field, schema]) => ({
        name: field,
        place: "body",
        type: types.typeOf(schema, `${pascal(id)}.${field}`),
        required: shape.required?.includes(field) ?? false,
        about: schema.description,
      })),
    ];
    return { id, name, operation, fields, answer: answerType(id, operation, described, types) };
  });
}

function answerType(id, operation, described, types) {
  if (operation.answer === "empty") return "None";
  if (operation.answer === "text") return "str";
  if (operation.answer === "bytes") return "ByteAnswer";
  const schema = schemaIn(described.responses[operation.status]);
  return types.typeOf(schema, `${pascal(id)}Answer`);
}

function schemaIn(message) {
  return message && Object.values(message.content)[0].schema;
}

function resolve(openapi, schema) {
  return schema.$ref === undefined ? schema : openapi.components.schemas[schema.$ref.split("/").at(-1)];
}

export function operationsModule(calls) {
  const rows = calls.map(({ id, operation, fields }) => {
    const of = (place) => tuple(fields.filter((field) => field.place === place).map(({ name }) => name));
    const made = operation.madeParam === undefined ? "None" : JSON.stringify(operation.madeParam);
    const hasBody = operation.body === undefined ? "False" : "True";
    return `    "${id}": Operation(
        "${id}", "${operation.method}", "${operation.path}", ${made},
        ${of("path")}, ${of("query")}, ${of("header")}, ${hasBody}, ${operation.takesBytes ? "True" : "False"}, "${operation.answer}",
    ),\n`;
  });
  return `from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple


class Operation(NamedTuple):
    id: str
    method: str
    path: str
    made: Optional[str]
    """The last parameter of the path, when it may be left out: the daemon makes one."""
    params: Tuple[str, ...]
    query: Tuple[str, ...]
    headers: Tuple[str, ...]
    """Fields that travel as headers: \`ifMatch\` is If-Match."""
    has_body: bool
    takes_bytes: bool
    """The body is bytes, the field \`content\`."""
    answer: str


OPERATIONS: Dict[str, Operation] = {
${rows.join("")}}
`;
}

export function methodsModule(calls, { isAsync }) {
  const prefix = isAsync ? "Async" : "";
  const groups = [...new Set(calls.map(groupOf))].filter((group) => group !== undefined);
  const inGroup = (group) => calls.filter((call) => groupOf(call) === group);
  const members = groups.map((group) => `        self.${group} = ${prefix}${pascal(group)}(caller)\n`).join("");
  const stream = isAsync ? "AsyncEventStream" : "EventStream";
  return `from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

if TYPE_CHECKING:
    from muster.${isAsync ? "aio." : ""}caller import ${prefix}Caller, ${stream}
    from muster.${isAsync ? "aio.bytes import AsyncByteAnswer, AsyncContent" : "byte_answer import ByteAnswer, Content"}
    from muster.generated.types import *


${groups
  .map(
    (group) => `class ${prefix}${pascal(group)}:
    def __init__(self, caller: ${prefix}Caller) -> None:
        self._caller = caller

${inGroup(group)
  .map((call) => method(call, { isAsync, stream }))
  .join("\n")}
`,
  )
  .join("\n")}
class ${prefix}Methods:
    """Every operation of the daemon as a method: \`client.sessions.create(agent="mock")\`."""

    def __init__(self, caller: ${prefix}Caller) -> None:
        self._caller = caller
${members}
${inGroup(undefined)
  .map((call) => method(call, { isAsync, stream }))
  .join("\n")}`;
}

function groupOf({ id }) {
  return id.includes(".") ? id.split(".")[0] : undefined;
}

/** Path parameters may be given by position, everything else by name. */
function method({ id, name, operation, fields, answer }, { isAsync, stream }) {
  const isStream = operation.answer === "sse";
  const isBytes = operation.answer === "bytes";
  const own = (type) => (isAsync && ["ByteAnswer", "Content"].includes(type) ? `Async${type}` : type);
  const inPath = fields.filter(({ place }) => place === "path").map(parameter);
  const others = fields.filter(({ place }) => place !== "path");
  const named = [...others.filter(({ required }) => required), ...others.filter(({ required }) => !required)].map(
    (field) => parameter({ ...field, type: own(field.type) }),
  );
  if (!isStream) named.push("timeout: Optional[float] = None");
  const parameters = ["self", ...inPath, ...(named.length > 0 ? ["*", ...named] : [])];
  const given = fields.map((field) => `"${field.name}": ${snake(field.name)}`);
  const start = isStream || !isAsync ? "def" : "async def";
  const result = isStream ? stream : own(answer);
  const call = isStream
    ? "self._caller.stream"
    : `${isAsync ? "await " : ""}self._caller.${isBytes ? "open_bytes" : "call"}`;
  const last = isStream ? "" : ", timeout";
  return `    ${start} ${snake(name)}(
${parameters.map((text) => `        ${text},\n`).join("")}    ) -> ${result}:
${docstring(operation, fields)}        fields: Dict[str, Any] = {${given.length > 0 ? `\n${given.map((text) => `            ${text},\n`).join("")}        ` : ""}}
        ${operation.answer === "empty" ? "" : "return "}${call}("${id}", fields${last})
`;
}

/** The words of the operation, and of every field that has some. */
function docstring({ summary, description }, fields) {
  const about = fields
    .filter((field) => field.about)
    .map((field) => `            ${snake(field.name)}: ${field.about}\n`);
  const args = about.length === 0 ? "" : `\n        Args:\n${about.join("")}`;
  const text = `        ${summary}.\n\n        ${description}\n${args}`.replaceAll("\\", "\\\\");
  return `        """${text.trimStart()}        """\n`;
}

function parameter({ name, type, required }) {
  return required ? `${snake(name)}: ${type}` : `${snake(name)}: Optional[${type}] = None`;
}

function tuple(list) {
  if (list.length === 0) return "()";
  return `(${list.map((name) => JSON.stringify(name)).join(", ")}${list.length === 1 ? "," : ""})`;
}

/** What a session can be created with, by the names of the keyword arguments. */
export function sessionOptions(calls) {
  const { fields } = calls.find(({ id }) => id === "sessions.create");
  const lines = fields
    .filter(({ place }) => place === "body")
    .map(({ name, type, about }) => `    ${snake(name)}: ${type}\n${about ? `    ${JSON.stringify(about)}\n` : ""}`);
  return `class SessionOptions(TypedDict, total=False):\n${lines.join("")}`;
}
