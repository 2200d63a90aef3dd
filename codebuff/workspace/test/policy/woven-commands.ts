import { quoteForShell as quoted } from "@muster/core";

/** Small writers: each changes the project in its own way. */
const writers: readonly string[] = [
  "touch n1",
  "echo x >n1",
  "echo x >>a.txt",
  "cp a.txt n1",
  "mv b.txt n1",
  "rm b.txt",
  "mkdir n1",
  "ln -s a.txt n1",
  "tee n1 <<<x",
  "truncate -s 0 a.txt",
  "dd if=/dev/null of=n1 status=none",
  "sed -i 1d a.txt",
  "install a.txt n1",
  "chmod 600 a.txt",
  "mkfifo n1",
];

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const octal = (text: string) => [...Buffer.from(text)].map((byte) => `\\0${byte.toString(8)}`).join("");

/** Ways in which a line of a shell gets another one run. */
const ways: readonly ((line: string) => string)[] = [
  (line) => `{ ${line}; }`,
  (line) => `( ${line} )`,
  (line) => `if ls >/dev/null; then ${line}; fi`,
  (line) => `until [ -e never ]; do ${line}; break; done`,
  (line) => `for ((i = 0; i < 1; i++)); do ${line}; done`,
  (line) => `case $PWD in /*) ${line};; esac`,
  (line) => `select x in 1; do ${line}; break; done <<<1`,
  (line) => `ls() { ${line}; }; ls`,
  (line) => `f() { ${line}; }; ls | f`,
  (line) => `ls && ${line}`,
  (line) => `ls never 2>/dev/null || ${line}`,
  (line) => `ls; ! ${line}`,
  (line) => `echo "$(${line})"`,
  (line) => `echo \`${line}\``,
  (line) => `cat <(${line})`,
  (line) => `echo x > >(${line})`,
  (line) => `x=(1 "$(${line})")`,
  (line) => `echo $((1 + $(${line}; echo 1)))`,
  (line) => `[[ -n $(${line}) ]]`,
  (line) => `x=\${y:-$(${line})}`,
  (line) => `cat <<E\n$(${line})\nE`,
  (line) => `ls # x\n${line}`,
  (line) => `ls \\\n; ${line}`,
  (line) => `ls & ${line}; wait`,
  (line) => `coproc { ${line}; }; wait`,
  (line) => `time ${line}`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `trap ${quoted(line)} DEBUG; ls; trap - DEBUG`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `sh -c ${quoted(`exec sh -c ${quoted(line)}`)}`,
  (line) => `bash <<<${quoted(line)}`,
  (line) => `printf %s ${quoted(line)} | bash`,
  (line) => `. <(printf %s ${quoted(line)})`,
  (line) => `source /dev/stdin <<<${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `builtin eval ${quoted(line)}`,
  (line) => `command -p bash -c ${quoted(line)}`,
  (line) => `x=${quoted(line)}; eval "$x"`,
  (line) => `base64 -d <<<${base64(line)} | bash`,
  (line) => `eval "$(printf %b ${quoted(octal(line))})"`,
  (line) => `bash -c "$(perl -e 'print pack "H*", "${hex(line)}"')"`,
  (line) => `env -i PATH="$PATH" bash -c ${quoted(line)}`,
  (line) => `env BASH_ENV=<(printf %s ${quoted(line)}) bash -c :`,
  (line) => `nice timeout 5 stdbuf -o0 bash -c ${quoted(line)}`,
  (line) => `setsid -w bash -c ${quoted(line)}`,
  (line) => `xargs -I{} bash -c ${quoted(line)} <<<x`,
  (line) => `find . -maxdepth 0 -exec bash -c ${quoted(line)} \\;`,
  (line) => `awk 'BEGIN { system(ARGV[1]) }' ${quoted(`bash -c ${quoted(line)}`)}`,
  (line) => `perl -e 'exec "bash", "-c", $ARGV[0]' ${quoted(line)}`,
  (line) => `python3 -c 'import subprocess, sys; subprocess.run(["bash", "-c", sys.argv[1]])' ${quoted(line)}`,
  (line) => `node -e 'child_process.execFileSync("bash", ["-c", process.argv[1]])' ${quoted(line)}`,
  (line) => `git -c alias.z=${quoted(`!bash -c ${quoted(line)}`)} z`,
  (line) =>
    `GIT_PAGER=${quoted(`bash -c ${quoted(line)}`)} git -p -c core.pager=${quoted(`bash -c ${quoted(line)}; cat`)} log`,
  (line) => `sed -n "1e bash -c ${line.replaceAll("<", "\\<").replaceAll(">", "\\>").replaceAll(" ", "\\\\ ")}" a.txt`,
];

/** Each way with each writer: none of them was written down by whoever made the policy. */
export const wovenCommands: readonly string[] = ways.flatMap((way) => writers.map(way));
