import { AgentInfo, CreateSession, Failure, Mode, Model } from "@muster/schema";
import { expect, test } from "vitest";
import { z } from "zod";
import { makeHost } from "../../test/host.ts";
import { adapters } from "../index.ts";
import { mock } from "./index.ts";

test.each<[string, Partial<CreateSession>]>([
  ["mcp", { mcp: { files: { command: "files" } } }],
  ["baseUrl", { baseUrl: "http://127.0.0.1:1" }],
  ["agentVersion", { agentVersion: "9.9.9" }],
  ["model", { model: "gpt" }],
  ["variant", { variant: "high" }],
  ["variant", { model: "mock-large", variant: "huge" }],
  ["agentMode", { agentMode: "dream" }],
  ["agentOptions", { agentOptions: { unknown: 1 } }],
  ["agentOptions", { agentOptions: { shared: "yes" } }],
])("%s is refused when the mock cannot do it: %o", async (option, settings) => {
  const checked = mock.check(CreateSession.parse({ agent: "mock", ...settings }));
  await expect(checked).rejects.toThrow(Failure);
  await expect(checked).rejects.toMatchObject({ code: "unsupported_option", fields: { option } });
});

test("what the mock can do passes", async () => {
  const settings = { model: "mock-large", variant: "high", agentMode: "plan", agentVersion: "1.0.0", mcp: {} };
  await mock.check(CreateSession.parse({ agent: "mock", ...settings, agentOptions: { shared: true } }));
  await mock.check(CreateSession.parse({ agent: "mock" }));
});

test("what it tells about itself keeps to the contract", async () => {
  const host = makeHost();
  expect(adapters.mock).toBe(mock);
  expect(AgentInfo.parse(await mock.info(host))).toMatchObject({ id: "mock", installed: true, version: "1.0.0" });
  expect(
    z
      .array(Model)
      .parse(await mock.models(host))
      .map(({ id }) => id),
  ).toEqual(["mock-small", "mock-large"]);
  expect(
    z
      .array(Mode)
      .parse(await mock.modes(host))
      .map(({ id }) => id),
  ).toEqual(["build", "plan"]);
});

test("it is installed already, and in one version only", async () => {
  const host = makeHost();
  expect(await mock.install(host, {})).toMatchObject({ version: "1.0.0", alreadyInstalled: true });
  await expect(mock.install(host, { version: "2.0.0" })).rejects.toMatchObject({ code: "unsupported_agent_version" });
});
