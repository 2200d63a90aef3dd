import { causes } from "@muster/schema/wire";

/** What a cause means to a person; one of a newer daemon is shown by its code. */
export function causeWords(code: string): string {
  return (causes as Readonly<Record<string, string>>)[code] ?? code;
}
