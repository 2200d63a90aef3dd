import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startFileServer } from "../../../test/file-server.ts";
import { makeDirectory } from "../../../test/host.ts";
import { installingHost, programOf, publish } from "../../../test/vendor-mirror.ts";
import { claudeRelease } from "../../claude/release.ts";
import { ensureInstalled } from "../installer.ts";
import { readNpmConfig } from "./npm-config.ts";
import { registryHeaders, registryOf, tarballUrl } from "./registry.ts";

it("settings are read as npm reads them: environment over the user's file over the global one", async () => {
  const home = makeDirectory();
  const prefix = makeDirectory();
  await mkdir(join(prefix, "etc"));
  await writeFile(join(prefix, "etc", "npmrc"), "registry=https://global.example\ncafile=/global.pem\n");
  await writeFile(
    join(home, ".npmrc"),
    `; a comment\n# another\nregistry = "https://user.example/npm"\n@anthropic-ai:registry=https://scoped.example/\n//user.example/npm/:_authToken=\${NPM_TOKEN}\n`,
  );
  const env = { npm_config_prefix: prefix, NPM_TOKEN: "t0ken" };
  const config = await readNpmConfig(env, home);
  expect(registryOf(config, "opencode-ai")).toBe("https://user.example/npm/");
  expect(registryOf(config, "@anthropic-ai/claude-code")).toBe("https://scoped.example/");
  expect(config.get("cafile")).toBe("/global.pem");
  const inEnvironment = await readNpmConfig({ ...env, NPM_CONFIG_REGISTRY: "https://env.example" }, home);
  expect(registryOf(inEnvironment, "opencode-ai")).toBe("https://env.example/");
  expect(registryOf(await readNpmConfig({ npm_config_prefix: home }, prefix), "x")).toBe("https://registry.npmjs.org/");
});

it("credentials go to the registry they are for and nowhere else", () => {
  const config = new Map([
    ["//host/npm/:_authToken", "token"],
    ["//basic/:_auth", "dTpw"],
    ["//named/:username", "u"],
    ["//named/:_password", Buffer.from("p").toString("base64")],
  ]);
  expect(registryHeaders(config, "https://host/npm/pkg/-/pkg.tgz")).toEqual({ authorization: "Bearer token" });
  expect(registryHeaders(config, "https://host/other/pkg.tgz")).toEqual({});
  expect(registryHeaders(config, "https://host.evil/npm/pkg.tgz")).toEqual({});
  expect(registryHeaders(config, "https://basic/pkg")).toEqual({ authorization: "Basic dTpw" });
  expect(registryHeaders(config, "https://named/pkg")).toEqual({
    authorization: `Basic ${Buffer.from("u:p").toString("base64")}`,
  });
});

it("a registry that passes on the public addresses of tarballs is asked for them itself", () => {
  const tarball = "https://registry.npmjs.org/pkg/-/pkg-1.0.0.tgz";
  expect(tarballUrl("https://mirror.example/npm/", tarball)).toBe("https://mirror.example/npm/pkg/-/pkg-1.0.0.tgz");
  expect(tarballUrl("https://registry.npmjs.org/", tarball)).toBe(tarball);
  expect(tarballUrl("https://mirror.example/", "https://cdn.example/a.tgz")).toBe("https://cdn.example/a.tgz");
});

it("an agent comes from a private registry with a path and a token, named in .npmrc", async () => {
  const registry = await startFileServer();
  const files = [{ name: "claude", content: programOf("2.0.0"), mode: 0o755 }];
  publish(registry, { name: "@anthropic-ai/claude-code-linux-x64", version: "2.0.0", files });
  const seen = new Set<string | undefined>();
  registry.server.on("request", ({ headers }) => void seen.add(headers.authorization));
  const host = installingHost({ platform: "linux-x64", sources: { claude: [{ kind: "npm" }] } });
  const place = new URL(registry.url).host;
  await writeFile(
    join(host.home, ".npmrc"),
    `@anthropic-ai:registry=${registry.url}\n//${place}/:_authToken=private\n`,
  );
  expect(await ensureInstalled(host, claudeRelease, { version: "2.0.0" })).toMatchObject({
    version: "2.0.0",
    source: "npm",
  });
  expect([...seen]).toEqual(["Bearer private"]);
});

it("a package without a hash that counts is refused", async () => {
  const registry = await startFileServer();
  const manifest = {
    version: "2.0.0",
    dist: { shasum: "a".repeat(40), integrity: "sha1-abc", tarball: `${registry.url}/x.tgz` },
  };
  registry.files.set("/@anthropic-ai%2fclaude-code-linux-x64/2.0.0", JSON.stringify(manifest));
  const settings = { platform: "linux-x64", sources: { claude: [{ kind: "npm" }] } } as const;
  const host = installingHost(settings, { npm_config_registry: registry.url });
  await expect(ensureInstalled(host, claudeRelease, { version: "2.0.0" })).rejects.toThrow("with no hash that counts");
});
