/** JSON Schemas → Python: `TypedDict`s, one for what must be there and one for what may be (3.9 has no `NotRequired`). */

/** Names for what the schema leaves without one, by the place where it is met first. */
const names = {
  "AgentInfo.capabilities": "Capabilities",
  "CreatedSession.error": "AgentError",
  "CreateSession.env.value": "EnvironmentValue",
  "CreateSession.env.value.1": "MarkedSecret",
  "CreateSession.limits": "Limits",
  "CreateSession.mcp.value": "McpServer",
  "CreateSession.mcp.value.0": "McpCommand",
  "CreateSession.mcp.value.1": "McpUrl",
  "Item.kind": "ItemKind",
  "Item.role": "Role",
  "Item.status": "ItemStatus",
  "MessageUpdated.attachments.item": "AttachmentInfo",
  "MessageUpdated.status": "MessageStatus",
  "PermissionRequested.action": "PermissionAction",
  "PermissionRequested.alwaysScope.item": "PermissionScope",
  "PermissionRequested.detail": "PermissionDetail",
  "PlanUpdated.entries.item": "PlanEntry",
  "Problem.code": "ProblemCode",
  "Question.options.item": "QuestionOption",
  "QuestionRequested.allowedPrompts.item": "AllowedPrompt",
  "QuestionRequested.questions.item": "Question",
  "SendMessage.attachments.item": "Attachment",
  "SendMessage.delivery": "Delivery",
  "Session.state": "SessionState",
  "Session.usage": "SessionUsage",
  "SessionEnded.stderr": "StderrExcerpt",
  "SessionStarted.permissionMode": "PermissionMode",
  "SessionStartedEvent.source": "EventSource",
  "SessionStartedEvent.truncated": "Truncated",
  "SessionUpdated.agentState": "AgentState",
  "SessionUpdated.commands.item": "AgentCommand",
  "ToolCallPart.toolKind": "ToolKind",
  "TurnEnded.cause": "Cause",
  "TurnEnded.status": "TurnStatus",
  "TurnEnded.usage": "Usage",
  "UniversalMessage.0": "ConversationMessage",
  "UniversalMessage.1": "UnparsedMessage",
};

/** Gives every object a class and every union or named list of words an alias; what is said twice gets one name. */
export class PythonTypes {
  #known = new Map();
  #taken = new Set();
  #unmet = new Set(Object.keys(names));
  #blocks = [];

  /** Declares a schema under a name of its own and gives the name. */
  declare(name, schema) {
    if (schema.oneOf?.every((member) => member.properties?.type?.const !== undefined)) {
      return this.#declareUnion(name, schema.oneOf);
    }
    return this.typeOf(schema, name, name);
  }

  /** The Python type of a schema met at this place. */
  typeOf(schema, place, name) {
    const wanted = name ?? names[place];
    this.#unmet.delete(place);
    if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return this.#enum(schema, wanted);
    const members = schema.anyOf ?? schema.oneOf;
    if (members !== undefined) return this.#union(members, place, wanted);
    if (schema.type === "array") return `List[${this.typeOf(schema.items ?? {}, `${place}.item`)}]`;
    if (schema.type === "object") return this.#object(schema, place, wanted);
    return { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" }[schema.type] ?? "Any";
  }

  /** The places of the table above that the schema does not have any more. */
  get unmet() {
    return [...this.#unmet];
  }

  toString() {
    return this.#blocks.join("\n\n");
  }

  /** A union told apart by `type`: `turn.ended` is a TurnEndedEvent with TurnEnded in it, `text` a TextPart. */
  #declareUnion(name, members) {
    const suffix = name === "UniversalEvent" ? "Event" : name;
    const all = members.map((member) => {
      const type = pascal(member.properties.type.const);
      const { data } = member.properties;
      // Of its own name also where two types carry the same: both are looked for.
      if (data !== undefined) this.#known.delete(keyOf(data));
      if (data !== undefined) this.typeOf(data, type, type);
      return this.typeOf(member, `${type}${suffix}`, `${type}${suffix}`);
    });
    this.#alias(name, `Union[\n${all.map((type) => `    ${type},\n`).join("")}]`);
    return name;
  }

  #union(members, place, name) {
    const types = members.map((member, index) => this.typeOf(member, `${place}.${index}`));
    const union = `Union[${[...new Set(types)].join(", ")}]`;
    if (name === undefined || this.#known.has(union)) return this.#known.get(union) ?? union;
    this.#known.set(union, name);
    this.#alias(name, union);
    return name;
  }

  #enum(schema, name) {
    const key = JSON.stringify(schema.enum);
    const type = `Literal[${schema.enum.map(literal).join(", ")}]`;
    if (name === undefined) return this.#known.get(key) ?? type;
    if (!this.#known.has(key)) {
      this.#known.set(key, name);
      const lines = schema.enum.map((value) => `    ${literal(value)},\n`).join("");
      this.#alias(name, type.length < 90 ? type : `Literal[\n${lines}]`);
    }
    return this.#known.get(key);
  }

  #object(schema, place, name) {
    if (schema.properties === undefined) {
      const { additionalProperties: value } = schema;
      return `Dict[str, ${typeof value === "object" ? this.typeOf(value, `${place}.value`) : "Any"}]`;
    }
    const key = keyOf(schema);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const own =
      name ??
      place
        .split(".")
        .filter((word) => word !== "item")
        .map(pascal)
        .join("");
    if (this.#taken.has(own)) throw new Error(`Two shapes would be called ${own}; name one of them: ${place}`);
    this.#taken.add(own);
    this.#known.set(key, own);
    const fields = Object.entries(schema.properties).map(([field, value]) => ({
      field,
      type: this.typeOf(value, `${own}.${field}`),
      about: value.description,
      required: schema.required?.includes(field) ?? false,
    }));
    this.#class(own, fields);
    return own;
  }

  #class(name, fields) {
    const required = fields.filter((field) => field.required);
    const optional = fields.filter((field) => !field.required);
    if (optional.length === 0) this.#blocks.push(typedDict(name, "TypedDict", required));
    else if (required.length === 0) this.#blocks.push(typedDict(name, "TypedDict, total=False", optional));
    else {
      this.#blocks.push(typedDict(`_${name}`, "TypedDict", required));
      this.#blocks.push(typedDict(name, `_${name}, total=False`, optional));
    }
  }

  #alias(name, type) {
    this.#taken.add(name);
    this.#blocks.push(`${name} = ${type}\n`);
  }
}

function typedDict(name, bases, fields) {
  if (fields.some(({ field }) => keywords.has(field))) {
    const entries = fields.map(({ field, type }) => `    "${field}": ${type},\n`).join("");
    return `${name} = TypedDict("${name}", {\n${entries}})\n`;
  }
  const lines = fields.map(({ field, type, about }) => `    ${field}: ${type}\n${about ? docstring(about) : ""}`);
  return `class ${name}(${bases}):\n${lines.join("") || "    pass\n"}`;
}

function keyOf(schema) {
  return JSON.stringify(shapeOf(schema));
}

/** What two schemas must share to be one type: descriptions and limits are not part of it. */
function shapeOf(schema) {
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== "object" || schema === null) return schema;
  const { properties, type, required, items, anyOf, oneOf, const: value, additionalProperties } = schema;
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, shapeOf(field)]);
  const parts = { type, required, value, items, anyOf, oneOf, additionalProperties, $ref: schema.$ref };
  return [fields, schema.enum, ...Object.entries(parts).map(([name, part]) => [name, shapeOf(part)])];
}

function docstring(text) {
  return `    ${JSON.stringify(text)}\n`;
}

function literal(value) {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

export function pascal(text) {
  return text
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

export function snake(text) {
  const name = text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keywords.has(name) ? `${name}_` : name;
}

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
   import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);
