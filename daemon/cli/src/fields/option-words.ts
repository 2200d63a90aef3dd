import { type Operation, operationIds, operations } from "@muster/schema";
import { flagOf } from "./operation-fields.ts";

/** What the daemon says of its fields, for somebody who types options: `baseUrl` → `--base-url`. */
export function optionWords(text: string): string {
  return text.replaceAll(/(?<![\w-])[a-z]+(?:[A-Z][a-z]+)+(?!\w)/g, (word) =>
    names().has(word) ? `--${flagOf(word)}` : word,
  );
}

let known: Set<string> | undefined;

/** Every field that a body or a query has. */
function names(): Set<string> {
  known ??= new Set(
    operationIds.flatMap((id) => {
      const { body, query }: Operation = operations[id];
      return [body, query].flatMap((schema) => Object.keys(schema?.shape ?? {}));
    }),
  );
  return known;
}
