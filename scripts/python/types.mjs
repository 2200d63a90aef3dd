/** JSON Schemas → Python: `TypedDict`s, one for what must be there and one for what may be (3.9 has no `NotRequired`). */

/** Gives every named schema a class or an alias, those it needs first: an alias is read when the module is loaded. */
export class PythonTypes {
  #definitions;
  /** The words of named lists of words → their names. */
  #lists;
  #declared = new Set();
  #blocks = [];

  constructor(definitions) {
    this.#definitions = definitions;
    const lists = Object.entries(definitions).filter(([, schema]) => schema.enum !== undefined);
    this.#lists = new Map(lists.map(([name, schema]) => [JSON.stringify(schema.enum), name]));
  }

  /** Declares a named schema, once, and gives its name. */
  declare(name) {
    if (this.#declared.has(name)) return name;
    this.#declared.add(name);
    const schema = this.#definitions[name];
    if (schema.type === "object" && schema.properties !== undefined) this.#class(name, schema);
    else this.#blocks.push(aliasText(name, schema.enum ? literals(schema.enum) : this.typeOf(schema, name)));
    return name;
  }

  /** The Python type of a schema met at this place. */
  typeOf(schema, place) {
    if (schema.$ref !== undefined) return this.declare(schema.$ref.split("/").at(-1));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return this.#listOf(schema.enum);
    const members = schema.anyOf ?? schema.oneOf;
    if (members !== undefined) return this.#union(members, place);
    if (schema.type === "array") return `List[${this.typeOf(schema.items ?? {}, `${place}.item`)}]`;
    if (schema.type === "object") return this.#object(schema, place);
    // The names that are known complete in an editor, and any other is taken.
    if (schema.type === "string" && schema.examples !== undefined) return `Union[${literals(schema.examples)}, str]`;
    return { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" }[schema.type] ?? "Any";
  }

  toString() {
    return this.#blocks.join("\n\n");
  }

  #listOf(values) {
    const name = this.#lists.get(JSON.stringify(values));
    return name === undefined ? literals(values) : this.declare(name);
  }

  #union(members, place) {
    const types = new Set(members.map((member, index) => this.typeOf(member, `${place}.${index}`)));
    return types.size === 1 ? [...types][0] : `Union[${[...types].join(", ")}]`;
  }

  #object(schema, place) {
    if (schema.properties === undefined) {
      const { additionalProperties: value } = schema;
      const isAny = typeof value !== "object" || Object.keys(value).length === 0;
      return `Dict[str, ${isAny ? "Any" : this.typeOf(value, `${place}.value`)}]`;
    }
    const name = place
      .split(".")
      .filter((word) => word !== "item")
      .map(pascal)
      .join("");
    if (!this.#declared.has(name)) {
      this.#declared.add(name);
      this.#class(name, schema);
    }
    return name;
  }

  #class(name, schema) {
    const fields = Object.entries(schema.properties).map(([field, value]) => ({
      field,
      type: this.typeOf(value, `${name}.${field}`),
      about: value.description,
      required: schema.required?.includes(field) ?? false,
    }));
    const required = fields.filter((field) => field.required);
    const optional = fields.filter((field) => !field.required);
    const about = schema.description;
    if (optional.length === 0) this.#blocks.push(typedDict(name, "TypedDict", required, about));
    else if (required.length === 0) this.#blocks.push(typedDict(name, "TypedDict, total=False", optional, about));
    else {
      this.#blocks.push(typedDict(`_${name}`, "TypedDict", required));
      this.#blocks.push(typedDict(name, `_${name}, total=False`, optional, about));
    }
  }
}

function literals(values) {
  return `Literal[${values.map(literal).join(", ")}]`;
}

/** One member in a line where a line would be too long. */
function aliasText(name, type) {
  if (type.length < 90) return `${name} = ${type}\n`;
  const [, kind, members] = /^(\w+)\[(.*)\]$/.exec(type) ?? [];
  if (members === undefined || members.includes("[")) return `${name} = ${type}\n`;
  return `${name} = ${kind}[\n${members
    .split(", ")
    .map((member) => `    ${member},\n`)
    .join("")}]\n`;
}

function typedDict(name, bases, fields, about) {
  if (fields.some(({ field }) => keywords.has(field))) {
    const entries = fields.map(({ field, type }) => `    "${field}": ${type},\n`).join("");
    return `${name} = TypedDict("${name}", {\n${entries}})\n`;
  }
  const words = about === undefined ? "" : docstring(about);
  const lines = fields.map(({ field, type, about }) => `    ${field}: ${type}\n${about ? docstring(about) : ""}`);
  return `class ${name}(${bases}):\n${words}${lines.join("") || "    pass\n"}`;
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
