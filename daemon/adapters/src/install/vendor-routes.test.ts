import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { installingHost, programOf, publish, sha256, startVendorMirror, tarGz } from "../../test/vendor-mirror.ts";
import { ampRelease } from "../amp/release.ts";
import { claudeRelease } from "../claude/release.ts";
import { codexRelease } from "../codex/release.ts";
import { opencodeRelease } from "../opencode/release.ts";
import { ensureInstalled } from "./installer.ts";
import type { Release } from "./release/release.ts";

const claudeBucket =
  "/storage.googleapis.com/claude-code-dist-86c565f3-f756-42ad-8dfa-d59b1c096819/claude-code-releases";
const ampBucket = "/storage.googleapis.com/amp-public-assets-prod-0/cli";
const program = (version: string) => programOf(version);
const packed = (name: string) => (version: string) => tarGz([{ name, content: program(version), mode: 0o755 }]);

interface Layout {
  release: Release;
  latest: [path: string, answer: (version: string) => string];
  /** platform → what the vendor calls it; null: not shipped */
  names: Record<string, string | null>;
  newestUrl(version: string, name: string): string;
  pinnedUrl(version: string, name: string): string;
  file(name: string): (version: string) => Buffer | string;
}

const github = (repository: string, tag: string, file: (name: string) => string) => ({
  latest: [
    `/api.github.com/repos/${repository}/releases/latest`,
    (version: string) => JSON.stringify({ tag_name: tag + version }),
  ] as Layout["latest"],
  newestUrl: (_: string, name: string) => `/github.com/${repository}/releases/latest/download/${file(name)}`,
  pinnedUrl: (version: string, name: string) =>
    `/github.com/${repository}/releases/download/${tag}${version}/${file(name)}`,
});
const bucket = (latest: string, url: Layout["newestUrl"]) => ({
  latest: [latest, (version: string) => `${version}\n`] as Layout["latest"],
  newestUrl: url,
  pinnedUrl: url,
});
const plain = {
  "linux-x64": "linux-x64",
  "linux-x64-musl": "linux-x64-musl",
  "linux-arm64": "linux-arm64",
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
};

/** The tables of the original document. */
const layouts: Layout[] = [
  {
    release: claudeRelease,
    names: plain,
    ...bucket(`${claudeBucket}/latest`, (version, name) => `${claudeBucket}/${version}/${name}/claude`),
    file: () => program,
  },
  {
    release: codexRelease,
    names: {
      "linux-x64": "x86_64-unknown-linux-musl",
      "linux-x64-musl": "x86_64-unknown-linux-musl",
      "linux-arm64": "aarch64-unknown-linux-musl",
      "darwin-arm64": "aarch64-apple-darwin",
      "darwin-x64": "x86_64-apple-darwin",
    },
    ...github("openai/codex", "rust-v", (name) => `codex-${name}.tar.gz`),
    file: (name) => packed(`codex-${name}`),
  },
  {
    release: opencodeRelease,
    names: { ...plain, "darwin-arm64": null, "darwin-x64": null },
    ...github("anomalyco/opencode", "v", (name) => `opencode-${name}.tar.gz`),
    file: () => packed("opencode"),
  },
  {
    release: ampRelease,
    names: { ...plain, "linux-x64-musl": null },
    ...bucket(`${ampBucket}/cli-version.txt`, (version, name) => `${ampBucket}/${version}/amp-${name}`),
    file: () => program,
  },
];

const cases = layouts.flatMap((layout) =>
  Object.entries(layout.names).flatMap(([platform, name]) =>
    name === null ? [] : [{ layout, platform, name, id: layout.release.id }],
  ),
);

describe("the vendors' own downloads", () => {
  it.each(cases)(
    "$id on $platform: the newest and a pinned version come from where the vendor has them",
    async ({ layout, platform, name }) => {
      const { release } = layout;
      const [major = 0] = release.majors;
      const [older, newer] = [`${major}.0.1`, `${major}.2.1`];
      const { files, asked, mirror } = await startVendorMirror();
      const host = installingHost({ mirror, platform, sources: { [release.id]: [{ kind: "vendor" }] } });
      const [latestUrl, latest] = layout.latest;
      files.set(latestUrl, latest(newer));
      files.set(layout.newestUrl(newer, name), layout.file(name)(newer));
      files.set(layout.pinnedUrl(older, name), layout.file(name)(older));

      const newest = await ensureInstalled(host, release, { version: "latest" });
      expect(newest).toMatchObject({ version: newer, source: "vendor", alreadyInstalled: false, tested: false });
      expect(asked.at(0)).toBe(latestUrl);
      expect(asked.at(-1)).toBe(layout.newestUrl(newer, name));
      const pinned = await ensureInstalled(host, release, { version: older });
      expect(asked.at(-1)).toBe(layout.pinnedUrl(older, name));

      for (const [{ path }, version] of [
        [newest, newer],
        [pinned, older],
      ] as const) {
        expect(basename(path)).toBe(release.command);
        expect(execFileSync(path, ["--version"], { encoding: "utf8" }).trim()).toBe(version);
      }
    },
  );

  it("amp has no build for musl: a clear 424 that names each source", async () => {
    const { mirror, asked } = await startVendorMirror();
    const failure = await ensureInstalled(installingHost({ mirror, platform: "linux-x64-musl" }), ampRelease).catch(
      (error) => error,
    );
    expect(failure.toProblem()).toMatchObject({
      status: 424,
      code: "install_failed",
      agent: "amp",
      version: "latest",
      sources: [
        { source: "vendor", cause: "Amp has no build for linux-x64-musl here" },
        { source: "npm", cause: "Amp has no build for linux-x64-musl here" },
      ],
    });
    expect(asked).toEqual([]);
  });

  it("an x64 processor without AVX2 gets OpenCode's build for it, and the others' ordinary one", async () => {
    const { files, mirror, asked } = await startVendorMirror();
    const sources = { opencode: [{ kind: "vendor" }], claude: [{ kind: "vendor" }] } as const;
    const host = installingHost({ mirror, platform: "linux-x64-baseline", sources });
    files.set(
      "/github.com/anomalyco/opencode/releases/download/v1.0.0/opencode-linux-x64-baseline.tar.gz",
      packed("opencode")("1.0.0"),
    );
    files.set(`${claudeBucket}/2.0.0/linux-x64/claude`, program("2.0.0"));
    await ensureInstalled(host, opencodeRelease, { version: "1.0.0" });
    await ensureInstalled(host, claudeRelease, { version: "2.0.0" });
    expect(asked.filter((path) => /baseline|x64.claude/.test(path))).toHaveLength(2);
  });
});

describe("what a vendor says about its files", () => {
  const digests: [string, Release, Record<string, (version: string) => string>, string, string][] = [
    [
      "Claude's manifest",
      claudeRelease,
      {
        [`${claudeBucket}/2.0.0/manifest.json`]: (version) =>
          JSON.stringify({ platforms: { "linux-x64": { checksum: sha256(program(version)) } } }),
      },
      "the vendor's manifest (sha256)",
      "2.0.0",
    ],
    [
      "Amp's checksum file",
      ampRelease,
      { [`${ampBucket}/0.0.1/linux-x64-amp.sha256`]: (version) => `${sha256(program(version))}\n` },
      "the vendor's checksum (sha256)",
      "0.0.1",
    ],
    [
      "the digest in GitHub's release",
      opencodeRelease,
      {
        "/api.github.com/repos/anomalyco/opencode/releases/tags/v1.0.0": (version) =>
          JSON.stringify({
            tag_name: "v1.0.0",
            assets: [{ name: "opencode-linux-x64.tar.gz", digest: `sha256:${sha256(packed("opencode")(version))}` }],
          }),
      },
      "the digest in GitHub's release (sha256)",
      "1.0.0",
    ],
  ];
  it.each(digests)("%s is checked", async (_, release, documents, verifiedBy, version) => {
    const { files, mirror } = await startVendorMirror();
    const layout = layouts.find((candidate) => candidate.release === release) as Layout;
    files.set(layout.pinnedUrl(version, "linux-x64"), layout.file("linux-x64")(version));
    const settings = { mirror, platform: "linux-x64", sources: { [release.id]: [{ kind: "vendor" }] } } as const;
    for (const [path, document] of Object.entries(documents)) files.set(path, document("another"));
    const refused = await ensureInstalled(installingHost(settings), release, { version }).catch((error) => error);
    expect(refused.fields.sources[0].cause).toMatch(/^the download is not what .* says: expected sha256/);
    for (const [path, document] of Object.entries(documents)) files.set(path, document(version));
    expect(await ensureInstalled(installingHost(settings), release, { version })).toMatchObject({
      verifiedBy,
    });
  });

  it("where it says nothing, the hash of the first install is what a later one is held to", async () => {
    const { files, mirror } = await startVendorMirror();
    const path = `${ampBucket}/0.0.1/amp-linux-x64`;
    const host = installingHost({ mirror, platform: "linux-x64", sources: { amp: [{ kind: "vendor" }] } });
    const request = { version: "0.0.1", reinstall: true };
    files.set(path, program("0.0.1"));
    const first = await ensureInstalled(host, ampRelease, request);
    expect(first.verifiedBy).toMatch(/^recorded: nobody vouches for it/);
    const second = await ensureInstalled(host, ampRelease, request);
    expect(second.verifiedBy).toBe("recorded: the same sha256 as at its first install");
    files.set(path, `${program("0.0.1")}# changed\n`);
    await expect(ensureInstalled(host, ampRelease, request)).rejects.toThrow(
      "the download is not what the record of the install at",
    );
    expect(execFileSync(second.path, { encoding: "utf8" })).toBe("0.0.1\n");
  });
});

describe("the order of sources", () => {
  it("a vendor that cannot be reached is followed by npm", async () => {
    const registry = await startVendorMirror();
    publish(registry, { name: "@anthropic-ai/claude-code", version: "2.0.0", files: [] });
    publish(registry, {
      name: "@anthropic-ai/claude-code-linux-x64",
      version: "2.0.0",
      files: [{ name: "claude", content: program("2.0.0"), mode: 0o755 }],
    });
    const host = installingHost(
      { mirror: "http://127.0.0.1:1", platform: "linux-x64" },
      { npm_config_registry: registry.url },
    );
    expect(await ensureInstalled(host, claudeRelease)).toMatchObject({ version: "2.0.0", source: "npm" });
  });

  it("codex comes from npm first, whose package has its helper programs", () => {
    expect(codexRelease.sources.map(({ kind }) => kind)).toEqual(["npm", "vendor"]);
    for (const { sources } of [claudeRelease, opencodeRelease, ampRelease]) {
      expect(sources.map(({ kind }) => kind)).toEqual(["vendor", "npm"]);
    }
  });

  it("a wrapper that is newer than the packages of its platforms gives the newest that exists", async () => {
    const registry = await startVendorMirror();
    publish(registry, { name: "@ampcode/cli", version: "0.0.9", files: [] });
    publish(registry, {
      name: "@ampcode/cli-linux-x64",
      version: "0.0.8",
      files: [{ name: "amp", content: program("0.0.8"), mode: 0o755 }],
    });
    const settings = { platform: "linux-x64", sources: { amp: [{ kind: "npm" }] } } as const;
    const host = installingHost(settings, { npm_config_registry: registry.url });
    expect(await ensureInstalled(host, ampRelease)).toMatchObject({ version: "0.0.8" });
    const pinned = await ensureInstalled(host, ampRelease, { version: "0.0.9" }).catch((error) => error);
    expect(pinned.fields).toMatchObject({
      version: "0.0.9",
      sources: [{ source: "npm", cause: expect.stringContaining("404") }],
    });
  });
});
