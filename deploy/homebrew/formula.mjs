/**
 * The Homebrew formula of a release, for a tap: `node deploy/homebrew/formula.mjs release/ <address of its files> > Formula/sandbox-daemon.rb`.
 * Made from SHA256SUMS, because a formula with another checksum than the file's is refused.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, address] = process.argv.slice(2);
if (folder === undefined || address === undefined) {
  process.stderr.write("usage: node deploy/homebrew/formula.mjs <folder of a release> <address of its files>\n");
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
process.stdout.write(formula({ folder, address, version }));

function formula({ folder, address, homepage = address, version }) {
  const sums = new Map(
    readFileSync(join(folder, "SHA256SUMS"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(/\s+\*?/))
      .map(([sum, name]) => [name, sum]),
  );
  const file = (target) => {
    const name = `sandbox-daemon-${target}`;
    if (!sums.has(name)) return undefined;
    return `      url "${address}/${name}"\n      sha256 "${sums.get(name)}"\n`;
  };
  const system = (name, folder) => {
    const [arm, intel] = [file(`${folder}-arm64`), file(`${folder}-x64`)];
    const parts = [arm && `    on_arm do\n${arm}    end\n`, intel && `    on_intel do\n${intel}    end\n`].filter(
      Boolean,
    );
    return parts.length === 0 ? "" : `  on_${name} do\n${parts.join("")}  end\n\n`;
  };
  return `class SandboxDaemon < Formula
  desc "One API for every coding agent"
  homepage "${homepage}"
  version "${version}"
  license "MIT"

${system("macos", "darwin")}${system("linux", "linux")}  def install
    bin.install Dir["sandbox-daemon-*"].first => "sandbox-daemon"
  end

  service do
    run [opt_bin/"sandbox-daemon", "serve", "--data-dir", var/"sandbox-daemon"]
    keep_alive crashed: true
    log_path var/"log/sandbox-daemon.log"
    error_log_path var/"log/sandbox-daemon.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sandbox-daemon --version")
    assert_match "hello", shell_output("#{bin}/sandbox-daemon run mock 'echo hello'")
  end
end
`;
}
