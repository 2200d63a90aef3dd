import { expect, test } from "vitest";
import { childEnvironment, withoutProxyHere } from "./child-environment.ts";

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

test("loopback is reached without a proxy, in both spellings, beside what was there", () => {
  const list = "example.com,10.0.0.1,127.0.0.1,localhost";
  expect(withoutProxyHere({ HTTP_PROXY: "http://proxy", NO_PROXY: "example.com, 10.0.0.1" })).toEqual({
    HTTP_PROXY: "http://proxy",
    NO_PROXY: list,
    no_proxy: list,
  });
  expect(withoutProxyHere({ no_proxy: "localhost" }).NO_PROXY).toBe("localhost,127.0.0.1");
});
