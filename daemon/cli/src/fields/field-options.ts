import { messageOf } from "@muster/core";
import { InvalidArgumentError, Option } from "commander";
import type { Field } from "./operation-fields.ts";
import { optionWords } from "./option-words.ts";

/** A field as commander's options: one, or two for a flag, of which help shows the one that does something. */
export function optionsOf(field: Field): Option[] {
  const { flag, kind } = field;
  if (kind === "boolean") {
    const [, word, effect = describe(field)] = /^(true|false) (.+)$/.exec(describe(field)) ?? [];
    const on = new Option(`--${flag}`, effect).hideHelp(word === "false");
    return [on, new Option(`--no-${flag}`, effect).hideHelp(word !== "false")];
  }
  const option = new Option(`--${flag} <${placeholders[kind]}>`, describe(field));
  if (field.choices !== undefined && !field.repeatable) return [option.choices(field.choices)];
  return [
    option.argParser((text, previous) =>
      field.repeatable ? [...listOf(previous), read(kind, text)] : read(kind, text),
    ),
  ];
}

/** Beside `--agent-token`, whose value everybody on the machine can see in the list of processes. */
export function agentTokenFileOption(): Option {
  return new Option(
    "--agent-token-file <path>",
    "The agent's API key, read from a file, or from standard input with -",
  );
}

const placeholders = { string: "text", number: "number", json: "json" } as const;

function describe({ description, required, repeatable }: Field): string {
  const notes = [required ? "required" : "", repeatable ? "repeatable" : ""].filter((note) => note !== "");
  return [optionWords(description), notes.length === 0 ? "" : `(${notes.join(", ")})`]
    .filter((part) => part !== "")
    .join(" ");
}

function listOf(previous: unknown): unknown[] {
  return Array.isArray(previous) ? previous : [];
}

function read(kind: "string" | "number" | "json", text: string): unknown {
  switch (kind) {
    case "string":
      return text;
    case "number":
      if (text.trim() === "" || !Number.isFinite(Number(text))) throw new InvalidArgumentError("Not a number.");
      return Number(text);
    case "json":
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new InvalidArgumentError(`Not JSON: ${messageOf(error)}.`);
      }
  }
}
