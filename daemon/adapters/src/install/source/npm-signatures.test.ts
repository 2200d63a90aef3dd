import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startFileServer } from "../../../test/file-server.ts";
import { installingHost, type NpmPackage, programOf, publish } from "../../../test/vendor-mirror.ts";
import { opencodeRelease } from "../../opencode/release.ts";
import { ensureInstalled } from "../installer.ts";
import { checkSignatures } from "./npm-signatures.ts";

const name = "opencode-linux-x64";
const version = "1.0.0";
const settings = { platform: "linux-x64", sources: { opencode: [{ kind: "npm" }] } } as const;

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = publicKey.export({ type: "spki", format: "der" });
  const keyid = `SHA256:${createHash("sha256").update(der).digest("base64").replace(/=$/, "")}`;
  return { keyid, key: der.toString("base64"), privateKey };
}

type Key = ReturnType<typeof makeKey>;

const signWith = (privateKey: KeyObject, text: string) =>
  sign("sha256", Buffer.from(text), privateKey).toString("base64");
const signing =
  ({ keyid, privateKey }: Key) =>
  (text: string) => [{ keyid, sig: signWith(privateKey, text) }];

/** A registry with keys of its own and one version of OpenCode. */
async function registryWith(keys: readonly (Key & { expires?: string })[], published: Partial<NpmPackage> = {}) {
  const registry = await startFileServer();
  const files = [{ name: "bin/opencode", content: programOf(version), mode: 0o755 }];
  publish(registry, { name, version, files, ...published });
  const told = keys.map(({ keyid, key, expires = null }) => ({ keyid, key, expires, keytype: "ecdsa-sha2-nistp256" }));
  registry.files.set("/-/npm/v1/keys", JSON.stringify({ keys: told }));
  const host = installingHost(settings, { npm_config_registry: registry.url });
  const install = () => ensureInstalled(host, opencodeRelease, { version });
  /** The problem, after a look that nothing is installed. */
  const refused = async (words: string) => {
    const failure = await install().catch((error) => error);
    expect(failure.toProblem()).toMatchObject({
      status: 424,
      code: "install_failed",
      sources: [{ source: "npm", cause: expect.stringContaining(words) }],
    });
    // No folder is nothing installed, too.
    const left = await readdir(join(host.dataDirectory, "agents", "opencode", version)).catch(() => []);
    expect(left).toEqual([]);
    return failure.toProblem();
  };
  return { ...registry, install, refused };
}

it("a signature that holds is checked, and the answer names the key", async () => {
  const key = makeKey();
  const { install } = await registryWith([makeKey(), key], { sign: signing(key) });
  expect(await install()).toMatchObject({
    version,
    verifiedBy: `npm's dist.integrity (sha512); signed with the registry's own key ${key.keyid}`,
  });
});

it("a registry that signs nothing is used by its hash, and the answer says so", async () => {
  const { install, asked } = await registryWith([makeKey()]);
  expect(await install()).toMatchObject({
    verifiedBy: "npm's dist.integrity (sha512); the registry gives no signature",
  });
  expect(asked).not.toContain("/-/npm/v1/keys");
});

it("a wrong signature is refused before anything is downloaded", async () => {
  const key = makeKey();
  const of = (text: string) => [{ keyid: key.keyid, sig: signWith(makeKey().privateKey, text) }];
  const { refused, asked } = await registryWith([key], { sign: of });
  await refused("does not hold");
  expect(asked.filter((path) => path.endsWith(".tgz"))).toEqual([]);
});

it.each(["", "AAAA", "not base64 at all"])("a signature that is nonsense (%j) is refused", async (sig) => {
  const key = makeKey();
  const { refused } = await registryWith([key], { sign: () => [{ keyid: key.keyid, sig }] });
  await refused("does not hold");
});

it("a signature of another version or another package does not hold for this one", async () => {
  const key = makeKey();
  for (const other of [`${name}@1.0.1:`, `opencode-darwin-x64@${version}:`]) {
    const { refused } = await registryWith([key], {
      sign: (text) => signing(key)(text.replace(`${name}@${version}:`, other)),
    });
    await refused("does not hold");
  }
});

it("a second signature that does not hold is not made good by the first", async () => {
  const [key, second] = [makeKey(), makeKey()];
  const { refused } = await registryWith([key, second], {
    sign: (text) => [...signing(key)(text), { keyid: second.keyid, sig: signWith(key.privateKey, text) }],
  });
  await refused(`does not hold (key ${second.keyid})`);
});

it("a key nobody knows is refused, also where the registry has no keys at all", async () => {
  const key = makeKey();
  const other = await registryWith([makeKey()], { sign: signing(key) });
  await other.refused(`is signed with a key nobody knows: ${key.keyid}`);
  const none = await registryWith([], { sign: signing(key) });
  none.files.delete("/-/npm/v1/keys");
  await none.refused(`is signed with a key nobody knows: ${key.keyid}`);
});

it("a registry cannot pass its own key off as one of npm's", async () => {
  const key = { ...makeKey(), keyid: "SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U" };
  const { refused, asked } = await registryWith([key], { sign: signing(key) });
  await refused("does not hold (key SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U)");
  expect(asked).not.toContain("/-/npm/v1/keys");
});

it("an expired key vouches for what was published while it was valid, and for nothing later", async () => {
  const key = { ...makeKey(), expires: "2025-01-29T00:00:00.000Z" };
  const registry = await registryWith([key], { sign: signing(key) });
  registry.files.set(`/${name}`, JSON.stringify({ time: { [version]: "2026-01-01T00:00:00.000Z" } }));
  await registry.refused("is signed with a key that had expired");
  registry.files.set(`/${name}`, "{}");
  await registry.refused("published at an unknown time");
  registry.files.set(`/${name}`, JSON.stringify({ time: { [version]: "2024-01-01T00:00:00.000Z" } }));
  expect(await registry.install()).toMatchObject({ verifiedBy: expect.stringContaining(key.keyid) });
});

it("a tarball that was exchanged is refused, also when the hash in the manifest was exchanged with it", async () => {
  const key = makeKey();
  const { refused, files, url } = await registryWith([key], { sign: signing(key) });
  const path = `/${name}/-/${version}.tgz`;
  const manifest = JSON.parse(String(files.get(`/${name}/${version}`)));
  const evil = publish({ url, files: new Map() } as never, {
    name,
    version,
    files: [{ name: "bin/opencode", content: `${programOf(version)}# evil\n`, mode: 0o755 }],
  });
  files.set(path, evil);
  await refused("the download is not what npm's dist.integrity says");
  manifest.dist.integrity = `sha512-${createHash("sha512").update(evil).digest("base64")}`;
  files.set(`/${name}/${version}`, JSON.stringify(manifest));
  await refused("does not hold");
});

it("signatures that cannot be read do not pass for none", async () => {
  const { refused, files } = await registryWith([makeKey()]);
  const manifest = JSON.parse(String(files.get(`/${name}/${version}`)));
  for (const signatures of [[{ keyid: 1 }], "x", [{ sig: "x" }]]) {
    files.set(`/${name}/${version}`, JSON.stringify({ ...manifest, dist: { ...manifest.dist, signatures } }));
    await refused("cannot be read");
  }
});

/** Published by others, signed by npm: what the keys that came with us are held to. */
const signedByNpm = [
  {
    name: "@docushell/ethos-pdf",
    version: "0.3.0",
    integrity: "sha512-ZWoIY5BO7O8tzN88ICGvRasmOt7/RSN/xWFM2ONT8lavQqIOuCY/bQjvxnuK9vGpNeogh8X4UXHLLSRKqqHVOQ==",
    keyid: "SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U",
    sig: "MEUCIQDba2Q4kRW068MuweRo5a5Hz+vLTtgV0S02cU3xp5POtwIgWUf5YaUD1fv0dCAcRlijDgNVl+P2AjBPVG36DmZ7WDI=",
  },
  {
    name: "uuid",
    version: "0.0.2",
    integrity: "sha512-3h/4V/B5W+7FmanZTk1bQMDDoNstFk/2xy0W2W1s1WX8NPU2Sgrfi3GXZQvhqVZZiQAA7A7uUgOB4xzy0ngraA==",
    keyid: "SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA",
    sig: "MEYCIQD1IQ4S7SggRuiiTxjJVzzfkHVzcPpPso/A+N++TgXqAgIhAP+LCzmHoT6q26ofm8BifbpLqynMNyNtpYHPSz7covx/",
  },
];

it.each(signedByNpm)(
  "npm's signature of $name holds by the key that came with us",
  async ({ keyid, sig, ...signed }) => {
    const packument = JSON.stringify({ time: { [signed.version]: "2011-01-01T00:00:00.000Z" } });
    const check = (integrity: string) =>
      checkSignatures(async () => packument, {
        ...signed,
        integrity,
        tarball: "",
        signatures: [{ keyid, sig }],
      });
    expect(await check(signed.integrity)).toBe(`signed with npm's key ${keyid}`);
    await expect(check(`${signed.integrity} `)).rejects.toThrow("does not hold");
  },
);

it.each([
  ["the registry's manifest", { manifestSays: "1.0.1" }],
  ["the package.json in", { inside: "1.0.1" }],
  ["the program itself", { programSays: "1.0.1" }],
])("another version than the one asked for is refused with both, when %s says so", async (by, wrong) => {
  const { manifestSays, programSays, inside } = wrong as Record<string, string | undefined>;
  const files = [{ name: "bin/opencode", content: programOf(programSays ?? version), mode: 0o755 }];
  const { refused, files: served } = await registryWith([], { files, inside });
  if (manifestSays !== undefined) {
    const path = `/${name}/${version}`;
    served.set(path, String(served.get(path)).replace(`"version":"${version}"`, `"version":"${manifestSays}"`));
  }
  const problem = await refused(`${by}`);
  expect(problem).toMatchObject({ version, sources: [{ wanted: version, found: "1.0.1" }] });
});

it("a version that differs only behind the plus is the same", async () => {
  const { install } = await registryWith([], {
    files: [{ name: "bin/opencode", content: programOf(`${version}+build.7`), mode: 0o755 }],
  });
  expect(await install()).toMatchObject({ version });
});
