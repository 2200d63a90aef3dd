import { expect, test } from "vitest";
import { secrecyOf } from "./secrets.ts";

test.each([
  [".env", "secret"],
  ["app/.env.production", "secret"],
  [".env.example", "template"],
  ["app/.env.sample", "template"],
  [".env.template", "template"],
  ["server.key", "secret"],
  ["certs/ca.pem", "secret"],
  ["id_ed25519", "secret"],
  ["id_ed25519.pub", "open"],
  [".ssh/config", "secret"],
  [".npmrc", "secret"],
  ["credentials.json", "secret"],
  ["service-account-prod.json", "secret"],
  ["src/credentials.ts", "open"],
  ["src/keyboard.ts", "open"],
  ["environment.ts", "open"],
  ["README.md", "open"],
] as const)("%s is %s", (path, secrecy) => {
  expect(secrecyOf(path)).toBe(secrecy);
});
