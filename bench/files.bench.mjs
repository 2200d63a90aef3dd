/** Files through the daemon beside `cat` and `tar` on the same disk, and what a gigabyte takes of its memory. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { startDaemon } from "./daemon.mjs";
import { scratchFolder } from "./processes.mjs";
import { median } from "./statistics.mjs";

export async function run({ report, rounds, scale, say }) {
  const folder = await scratchFolder();
  const megabytes = Math.round(scale(1024));
  const large = join(folder, "large");
  execFileSync("sh", ["-c", `head -c ${megabytes}M /dev/urandom > ${large}`]);
  const tree = join(folder, "tree");
  const files = scale(10_000);
  for (let file = 0; file < files; file++) {
    if (file % 100 === 0) mkdirSync(join(tree, `${file / 100}`), { recursive: true });
    writeFileSync(join(tree, `${Math.floor(file / 100)}`, `${file}`), Buffer.alloc(file % 4096, file));
  }
  const daemon = await startDaemon({ args: ["--root", folder] });
  const url = (operation, path) => `/files/${operation}?path=${encodeURIComponent(path)}`;
  const times = { read: [], cat: [], write: [], copy: [], down: [], tar: [], up: [], untar: [] };
  let peak = 0;
  const before = residentOf(daemon.pid);
  const watching = setInterval(() => {
    peak = Math.max(peak, residentOf(daemon.pid));
  }, 50);
  for (let round = 0; round < rounds(5); round++) {
    say(`round ${round + 1}: ${megabytes} MiB, ${files} files`);
    times.read.push(await timed(() => get(daemon.port, url("content", large))));
    times.cat.push(await timed(() => shell(`cat ${large} | cat > /dev/null`)));
    times.write.push(
      await timed(() => put(daemon.port, url("content", join(folder, `w${round}`)), createReadStream(large))),
    );
    times.copy.push(
      await timed(() =>
        shell(`cat ${large} | dd of=${folder}/c${round} bs=256k iflag=fullblock conv=fdatasync 2>/dev/null`),
      ),
    );
    times.down.push(await timed(() => get(daemon.port, url("tree", tree))));
    times.tar.push(await timed(() => shell(`tar c -C ${tree} . | cat > /dev/null`)));
    const packed = spawn("tar", ["c", "-C", tree, "."], { stdio: ["ignore", "pipe", "inherit"] });
    times.up.push(await timed(() => put(daemon.port, url("tree", join(folder, `up${round}`)), packed.stdout)));
    mkdirSync(join(folder, `un${round}`));
    times.untar.push(await timed(() => shell(`tar c -C ${tree} . | tar x -C ${folder}/un${round}`)));
    if (statSync(join(folder, `w${round}`)).size !== statSync(large).size) throw new Error("the file is not whole");
    for (const name of ["w", "c", "up", "un"]) rmSync(join(folder, `${name}${round}`), { recursive: true });
  }
  clearInterval(watching);
  const line = (name, value, baseline, baselineIs) =>
    report({ name, unit: "ms", value: median(value), baseline: median(baseline), baselineIs });
  line(`read ${megabytes} MiB`, times.read, times.cat, "cat into a pipe");
  line(`write ${megabytes} MiB, on the disk when answered`, times.write, times.copy, "dd with fdatasync");
  line(`${files} files down as tar`, times.down, times.tar, "tar into a pipe");
  line(`${files} files up as tar`, times.up, times.untar, "tar from a pipe");
  report({
    name: `RSS of the daemon at most while ${megabytes} MiB go up and down`,
    unit: "MB",
    value: peak / 1e6,
    baseline: before / 1e6,
    baselineIs: "before the first call",
  });
  await daemon.stop();
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Reads the answer and keeps none of it. */
function get(port, path) {
  return new Promise((resolve, reject) => {
    request({ port, path }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} → ${response.statusCode}`));
      response.on("end", resolve).on("error", reject).resume();
    })
      .on("error", reject)
      .end();
  });
}

function put(port, path, source) {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, method: "PUT" }, (response) => {
      if (response.statusCode >= 300) reject(new Error(`${path} → ${response.statusCode}`));
      response.on("end", resolve).on("error", reject).resume();
    }).on("error", reject);
    source.pipe(sent);
  });
}

async function shell(command) {
  const [code] = await once(spawn("sh", ["-c", command], { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** At once: what is between two looks counts too. */
function residentOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}
