import { readFileSync } from "node:fs";
import { estimateTokens, toolJsonSchema, toolNames } from "@muster/codebuff-protocol";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

const source = readFileSync(new URL("../src/steps/best-of-n-steps.ts", import.meta.url), "utf8");

test.each([
  ["prose", readFileSync(new URL("../README.md", import.meta.url), "utf8")],
  ["code", source],
  ["schemas", JSON.stringify(toolNames.map(toolJsonSchema))],
  ["indented JSON", JSON.stringify(toolNames.map(toolJsonSchema), null, 2)],
  ["a diff", source.replace(/^/gm, "+")],
  ["Chinese", "请把登录页面迁移到新的认证服务，并保留旧的会话。".repeat(20)],
  ["Russian", "Пожалуйста, перенесите страницу входа на новый сервис.".repeat(20)],
  ["emoji", "👩‍👩‍👧‍👦🎉🚀".repeat(50)],
])("the estimate for %s is not below what a tokenizer counts", (_title, text) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
});
