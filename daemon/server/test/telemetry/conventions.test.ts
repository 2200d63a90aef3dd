import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { namesOfConventions } from "./conventions.ts";

/** What OpenTelemetry itself publishes of its conventions: attribute → why it is not to be used any more, if it is so. */
const published = new Map(["stable", "experimental"].flatMap(declared));

it("every attribute of the table is one that OpenTelemetry publishes and has not replaced", () => {
  // A name that was moved into the repository of the conventions for generative AI is as good as before.
  const isOutdated = (name: string) => !/^Moved to/.test(published.get(name) ?? "Moved to");
  expect(namesOfConventions.length).toBeGreaterThan(30);
  expect(namesOfConventions.filter((name) => !published.has(name))).toEqual([]);
  expect(namesOfConventions.filter(isOutdated)).toEqual([]);
  // What the daemon once sent, and what would be found.
  expect(["gen_ai.system", "gen_ai.prompt", "gen_ai.usage.prompt_tokens"].filter(isOutdated)).toHaveLength(3);
});

function declared(part: string): [name: string, deprecated: string | undefined][] {
  const file = `node_modules/@opentelemetry/semantic-conventions/dist/${part}_attributes.d.cts`;
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
  return text
    .split("/**")
    .flatMap((block) =>
      [...block.matchAll(/const ATTR_\w+: "([^"]+)"/g)].map(([, name = ""]): [string, string | undefined] => [
        name,
        /@deprecated ([^\n]*)/.exec(block)?.[1],
      ]),
    );
}
