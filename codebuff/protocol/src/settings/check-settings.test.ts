import { expect, it } from "vitest";
import { checkSettings } from "./check-settings.ts";
import { PermissionsFile, ProjectSettings, UserSettings } from "./settings-schema.ts";

const problemsOf = (text: string) =>
  checkSettings(UserSettings, text).problems.map(({ line, key, message }) => `${line} ${key} ${message}`);

it.each([
  ['{\n  "modle": "a/b"\n}', ["2 modle is no setting; did you mean model?"]],
  ['{ "zzz": 1 }', [expect.stringContaining("1 zzz is no setting; there are mode, model")]],
  ['{\n\n "mode": "zzz" }', ['3 mode takes one of default, free, max, plan, not "zzz"']],
  ['{ "variant": "hihg" }', ['1 variant takes one of low, medium, high, not "hihg"; did you mean high?']],
  ['{ "theme": "a/b" }', ["1 theme must be a name of letters, digits and dashes"]],
  ['{ "vim": "yes" }', ["1 vim must be true or false, not a text"]],
  ['{ "keys": {\n "search.open": 3 } }', ["2 keys.search.open must be a text, not a number"]],
  ['{ "permissions": "bogus" }', [expect.stringContaining("1 permissions takes one of default, accept-edits")]],
  ['{ "model": 3 }', ["1 model must be a text, not a number"]],
  ['{ "maxAgentSteps": 0 }', ["1 maxAgentSteps must be at least 1, not 0"]],
  ['{ "baseUrl": "here" }', ['1 baseUrl must be an address such as https://example.com, not "here"']],
  ['{ "providers": {\n "x": { "type": "nonsense" } } }', [expect.stringContaining("2 providers.x.type takes one of")]],
  [
    '{ "providers": {\n "x": { "type": "openai", "baseUrI": "u" } } }',
    ["2 providers.x.baseUrI is no setting; did you mean baseUrl?"],
  ],
  [
    '{ "permissions": {\n "rules": [\n { "effect": "allow", "command": "*" },\n { "efect": "deny", "path": "a" } ] } }',
    [
      "3 permissions.rules.0 in an allow rule * may only be the last word",
      expect.stringContaining("4 permissions.rules.1.effect takes one of allow, ask, deny"),
      "4 permissions.rules.1.efect is no setting; did you mean effect?",
    ],
  ],
  ['{ "mode": ', ["1  is not valid JSON (ValueExpected)"]],
  ["[]", ["1  must be an object, not a list"]],
  ["", ["1  is not valid JSON (InvalidCommentToken)"]],
])("%j is told with its line and key", (text, expected) => {
  const found = problemsOf(text);
  expect(found.map((one) => one.replace(/\(\w+\)$/, "(…)"))).toEqual(
    expected.map((one: unknown) => (typeof one === "string" ? one.replace(/\(\w+\)$/, "(…)") : one)),
  );
});

it("what is wrong is left out, the rest holds; comments and commas at the end are fine", () => {
  const text = '{\n // mine\n "mode": "max", "variant": "pink", "model": "a/b", /* why */ "zzz": 1,\n}';
  expect(checkSettings(UserSettings, text).settings).toMatchObject({ mode: "max", model: "a/b", providers: {} });
  expect(checkSettings(UserSettings, text).given).toEqual({ mode: "max", model: "a/b" });
});

it("where a rule is wrong none of its file allows anything, and what denies or asks holds", () => {
  const rules = [
    { effect: "allow", command: "npm test" },
    { effect: "deny", path: "vendor/**" },
    { effect: "allow", comand: "npm run x" },
    { effect: "ask", command: "make *" },
  ];
  const strict = [rules[1], rules[3]];
  const project = checkSettings(ProjectSettings, JSON.stringify({ permissions: { rules } }));
  const own = checkSettings(PermissionsFile, JSON.stringify({ rules }));
  expect([project.settings.permissions?.rules, own.settings.rules]).toEqual([strict, strict]);
});

it("a project's file has no place for addresses, keys and policies", () => {
  const text = JSON.stringify({
    baseUrl: "http://x",
    apiKey: "k",
    providers: {},
    provider: "x",
    permissions: { mode: "allow" },
  });
  const { problems, settings } = checkSettings(ProjectSettings, text);
  expect(problems.map(({ key }) => key).sort()).toEqual([
    "apiKey",
    "baseUrl",
    "permissions.mode",
    "provider",
    "providers",
  ]);
  expect(settings.permissions).toBeUndefined();
});
