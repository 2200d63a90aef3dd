import { expect, test } from "vitest";
import { childEnvironment } from "./child-environment.ts";

test("a child sees the allow-list, what its adapter adds, and its marker", () => {
  const own = {
    PATH: "/bin",
    HOME: "/root",
    LC_ALL: "C.UTF-8",
    https_proxy: "http://proxy",
    OPENAI_API_KEY: "secret",
    NODE_OPTIONS: "--inspect",
    MUSTER_LIFE: "of somebody else",
  };
  expect(childEnvironment(own, { HOME: "/private", EXTRA: "1" }, "marker")).toEqual({
    PATH: "/bin",
    HOME: "/private",
    LC_ALL: "C.UTF-8",
    https_proxy: "http://proxy",
    EXTRA: "1",
    MUSTER_LIFE: "marker",
  });
});

test("no session can take the marker away", () => {
  expect(childEnvironment({}, { MUSTER_LIFE: "none" }, "marker")).toEqual({ MUSTER_LIFE: "marker" });
});
