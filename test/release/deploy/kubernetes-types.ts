/** What the published client of Kubernetes says of each of its types. */
interface Model {
  getAttributeTypeMap(): { baseName: string; type: string }[];
}

/** What is wrong with a document: fields that its type does not have, and values that are not of theirs. */
export function kubernetesFaults(document: unknown, models: Readonly<Record<string, Model>>): string[] {
  const { apiVersion = "", kind = "" } = document as { apiVersion?: string; kind?: string };
  const type = `${capital(apiVersion.split("/").at(-1) ?? "")}${kind}`;
  return check(document, type, kind);

  function check(value: unknown, type: string, path: string): string[] {
    const [, inside] = /^Array<(.*)>$/.exec(type) ?? [];
    if (inside !== undefined) {
      if (!Array.isArray(value)) return [`${path} is no list`];
      return value.flatMap((each, at) => check(each, inside, `${path}.${at}`));
    }
    const [, mapped] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
    if (mapped !== undefined) return entries(value).flatMap(([name, each]) => check(each, mapped, `${path}.${name}`));
    const model = models[type];
    if (model !== undefined && "getAttributeTypeMap" in model) return checkObject(value, model, { type, path });
    if (type === "IntOrString")
      return ["number", "string"].includes(typeof value) ? [] : [`${path} is ${typeof value}`];
    if (["string", "number", "boolean"].includes(type))
      return typeof value === type ? [] : [`${path} is ${typeof value}, not ${type}`];
    return [`${path} is of the type ${type}, which nobody knows`];
  }

  function checkObject(value: unknown, model: Model, { type, path }: { type: string; path: string }): string[] {
    const fields = new Map(model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]));
    return entries(value).flatMap(([name, each]) => {
      const field = fields.get(name);
      return field === undefined ? [`${path}.${name} is no field of ${type}`] : check(each, field, `${path}.${name}`);
    });
  }
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(value as Record<string, unknown>);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
