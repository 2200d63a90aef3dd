import type { AgentInfo, Model, Session } from "@muster/schema";
import { expect, test } from "vitest";
import { changeOf, settingsOf } from "./session-settings.ts";

const models: Model[] = [
  { id: "default", name: "Default", default: true, resolvesTo: "claude-opus-5-5", variants: ["low", "high"] },
  { id: "opus", resolvesTo: "claude-opus-5-5", variants: ["low", "high"] },
  { id: "haiku", resolvesTo: "claude-haiku-5", variants: [] },
];
const info = { id: "claude", name: "Claude", installed: true, credentialsAvailable: true } as AgentInfo;
const offer = { info, models, modes: [], isPartial: false };
const optionsOf = (session: Partial<Session>) =>
  Object.fromEntries(settingsOf(session as Session, offer).configOptions.map((option) => [option.id, option]));

test("a model is found by what its id stands for, with its efforts, and by the name that says more than default", () => {
  const { model, variant } = optionsOf({ model: "claude-opus-5-5" });
  expect(model).toMatchObject({ currentValue: "opus" });
  expect(variant).toMatchObject({ options: [{ name: "Not set" }, { value: "low" }, { value: "high" }] });
  expect(optionsOf({ model: "claude-haiku-5" }).variant).toBeUndefined();
});

test("an effort that was set is the current one, and not set is offered only where none was", () => {
  const { variant } = optionsOf({ model: "opus", variant: "high" });
  expect(variant).toMatchObject({ currentValue: "high", options: [{ value: "low" }, { value: "high" }] });
  const unset = optionsOf({ model: "opus" }).variant as { currentValue: string };
  expect(changeOf("variant", unset.currentValue)).toEqual({});
});

test("a session without a model has the agent's default, and one that no list names is shown by its name", () => {
  expect(optionsOf({}).model).toMatchObject({ currentValue: "default" });
  const { model, variant } = optionsOf({ model: "somebody/else" });
  expect(model).toMatchObject({ currentValue: "somebody/else", options: [{ value: "somebody/else" }, {}, {}, {}] });
  expect(variant).toBeUndefined();
});
