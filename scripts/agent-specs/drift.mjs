/** What a vendor's lines have become, against what our converters know of them. */
import { agents } from "./read-fields.mjs";

/** Lines of an agent: names nobody knows, and fields that every line of their name had and these have not. */
export function driftOfLines(agent, lines, { lines: known }) {
  const drift = [];
  for (const line of lines) {
    const name = agents[agent].nameOf(line);
    if (known[name] === undefined) drift.push(`appeared: line ${name}`);
    for (const field of known[name]?.always ?? []) {
      const steps = field.split(".");
      if (!has(line, steps) && has(line, steps.slice(0, -1))) drift.push(`vanished: field ${field} of line ${name}`);
    }
  }
  return [...new Set(drift)];
}

/** A vendor's schema: words that stand for a kind of line or block, and names of fields we read. */
export function driftOfSchema({ types, fields }, { lines, types: before, undocumented }) {
  const gone = undocumentedOf(lines, fields).filter((name) => !undocumented.includes(name));
  return [
    ...types.filter((type) => !before.includes(type)).map((type) => `appeared: type ${type}`),
    ...before.filter((type) => !types.includes(type)).map((type) => `vanished: type ${type}`),
    ...gone.map((name) => `vanished: field ${name}`),
  ];
}

/** Names of fields that are read and stand in no schema: agents say more than their vendors publish. */
export function undocumentedOf(lines, fields) {
  const read = Object.values(lines).flatMap(({ always, sometimes }) => [...always, ...sometimes].map(lastOf));
  return [...new Set(read)].filter((name) => !fields.includes(name)).sort();
}

const lastOf = (field) => field.slice(field.lastIndexOf(".") + 1).replaceAll("[]", "");

function has(value, [step, ...rest]) {
  if (step === undefined) return true;
  const name = step.replaceAll("[]", "");
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  const found = value[name];
  // What is in a list may differ from entry to entry; that there is a list is what counts.
  return step.endsWith("[]") || Array.isArray(found) ? true : has(found, rest);
}
