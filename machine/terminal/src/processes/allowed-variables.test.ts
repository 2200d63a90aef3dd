import { expect, test } from "vitest";
import { allowedVariables, moreVariables, secretValues } from "./allowed-variables.ts";

const environment = {
  PATH: "/bin",
  HOME: "/home/a",
  LC_ALL: "C",
  MUSTER_LIFE: "marker",
  ANTHROPIC_API_KEY: "sk-ant-1234567890",
  GITHUB_TOKEN: "ghp_1234567890",
  DATABASE_URL: "postgres://u:hunter2@h/d",
  HTTPS_PROXY: "http://me:hunter2@proxy:8080",
  HTTP_PROXY: "http://proxy:8080",
  SSH_PRIVATE_KEY: "/home/a/key",
};

test("a program gets what it needs and no key, password or address with one", () => {
  expect(allowedVariables(environment)).toEqual({
    PATH: "/bin",
    HOME: "/home/a",
    LC_ALL: "C",
    MUSTER_LIFE: "marker",
    HTTP_PROXY: "http://proxy:8080",
  });
});

test("the person may name more of them", () => {
  expect(allowedVariables(environment, ["DATABASE_URL"])).toMatchObject({ DATABASE_URL: "postgres://u:hunter2@h/d" });
  const named = allowedVariables({ ...environment, [moreVariables]: "GITHUB_TOKEN, HTTPS_PROXY" });
  expect(named).toMatchObject({ GITHUB_TOKEN: "ghp_1234567890", HTTPS_PROXY: "http://me:hunter2@proxy:8080" });
  expect(named).not.toHaveProperty(moreVariables);
});

test("secret values are told by their names; a path is none", () => {
  expect(secretValues(environment)).toEqual(["sk-ant-1234567890", "ghp_1234567890"]);
});
