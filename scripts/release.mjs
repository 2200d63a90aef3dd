/**
 * `npm run release`: everything one can install, in `release/`: single executables, npm tarballs, the Python package,
 * checksums, a list of what is inside, and a note. The same commit gives the same bytes.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepare, root, run } from "./prepare.mjs";

const help = `npm run release -- [options]

  --out <folder>    where it goes (release/); what is there is removed first
  --all             executables for every platform, not only this one (downloads 350 MB); those are not run
  --skip <part>     executables, npm or python (repeatable)
`;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "release") },
    all: { type: "boolean", default: false },
    skip: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(help);
else await release(values);

async function release({ out, all, skip }) {
  prepare();
  // Only now: they need what was just installed.
  const { inputsOfExecutables, makeExecutable } = await import("./release/executables.mjs");
  const { writeNotices } = await import("./release/notices.mjs");
  const { executableNames } = await import("./release/commands.mjs");
  const { ownTarget, targets } = await import("./release/targets.mjs");
  const { makeNpmPackages } = await import("./release/npm-packages.mjs");
  const { writeSbom } = await import("./release/sbom.mjs");
  const { writeNotes } = await import("./release/notes.mjs");
  const { writeChecksums } = await import("./release/checksums.mjs");

  const folder = resolve(out);
  emptyFolder(folder);
  const time = commitTime();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = [];
  const unrun = [];
  if (!skip.includes("executables")) {
    const wanted = all ? Object.keys(targets) : [ownTarget];
    for (const name of executableNames) {
      for (const target of wanted) {
        say(`${name} for ${target}`);
        const path = await makeExecutable({ name, target, folder });
        files.push(path);
        if (target === ownTarget) checkVersion(path, version);
        else unrun.push(path);
      }
    }
    files.push(await writeNotices(folder, await inputsOfExecutables(executableNames)));
  }
  if (!skip.includes("npm")) {
    say("npm packages");
    files.push(...(await makeNpmPackages({ folder, time })));
  }
  if (!skip.includes("python")) {
    say("Python package");
    run("python3", [join(root, "python/build_backend.py"), folder], { stdio: ["ignore", "ignore", "inherit"] });
    files.push(
      ...readdirSync(folder)
        .filter((name) => /\.(whl|tar\.gz)$/.test(name))
        .map((name) => join(folder, name)),
    );
  }
  files.push(await writeSbom({ file: join(folder, "sbom.cdx.json"), version, time }));
  files.push(await writeNotes({ file: join(folder, "RELEASE.md"), version, files, unrun }));
  await writeChecksums({ file: join(folder, "SHA256SUMS"), files });
  for (const name of readdirSync(folder).sort()) process.stdout.write(`${join(folder, name)}\n`);
}

/** Nobody's own files: only a folder that an earlier release filled is emptied. */
function emptyFolder(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, "SHA256SUMS"))) {
    process.stderr.write(`error: ${folder} holds something else than a release; name another folder with --out\n`);
    process.exit(2);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // From the start: a release that fails leaves a folder that the next one may empty.
  writeFileSync(join(folder, "SHA256SUMS"), "");
}

function commitTime() {
  const told = process.env.SOURCE_DATE_EPOCH ?? git("log", "-1", "--format=%ct");
  return new Date(Number(told) * 1000);
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function checkVersion(path, version) {
  const told = execFileSync(path, ["--version"], { encoding: "utf8", env: {} }).trim();
  if (told !== version) throw new Error(`${path} says it is ${told}`);
}

function say(text) {
  process.stderr.write(`release: ${text}\n`);
}
