/** The words of a schema: kinds of lines and blocks, and names of fields. */
const kinds = new Set(["type", "subtype", "method"]);

export function wordsOfSchemas(schemas) {
  const types = new Set();
  const fields = new Set();
  const walk = (value) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      fields.add(name);
      const words = [property?.const, ...(Array.isArray(property?.enum) ? property.enum : [])];
      if (kinds.has(name)) for (const word of words) if (typeof word === "string") types.add(word);
    }
    for (const one of Object.values(value)) walk(one);
  };
  for (const schema of schemas) walk(schema);
  return { types: [...types].sort(), fields: [...fields].sort() };
}

/** Typings are read by their words: enough to see that one came or went. */
export function wordsOfTypings(texts) {
  const types = new Set();
  const fields = new Set();
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\b(\w+)\??:/g)) fields.add(name);
    for (const [, words] of text.matchAll(
      /\b(?:type|subtype|method)\??:\s*(?:z\.literal\()?((?:["'][\w./-]+["'][\s|]*)+)/g,
    )) {
      for (const [, word] of words.matchAll(/["']([\w./-]+)["']/g)) types.add(word);
    }
  }
  return { types: [...types].sort(), fields: [...fields].sort() };
}
