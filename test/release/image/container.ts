import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Image } from "./image-root.ts";

const execute = promisify(execFile);

export interface ContainerOptions {
  /** What follows the entrypoint. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of the machine, by their place inside. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Places that are memory. */
  readonly memory?: readonly string[];
  /** Nothing but what is mounted can be written. */
  readonly isReadOnly?: boolean;
  /** These, and no way to more; all of them without it. */
  readonly capabilities?: readonly string[];
  /** user:group, by their numbers. */
  readonly user?: readonly [uid: number, gid: number];
  /** In place of the image's. */
  readonly entrypoint?: readonly string[];
}

/** A container without an engine: namespaces of its own for mounts, processes and the network, and the image as its root. */
export class Container {
  readonly exited: Promise<{ code: number | null }>;
  readonly #image: Image;
  readonly #options: ContainerOptions;
  readonly #child: ChildProcess;
  output = "";

  /** Resolves when its output matches. */
  static async start(image: Image, options: ContainerOptions, ready: RegExp): Promise<Container> {
    const container = new Container(image, options);
    await new Promise<void>((resolve, reject) => {
      container.#onOutput(() => ready.test(container.output) && resolve());
      void container.exited.then(({ code }) => reject(new Error(`It ended with ${code}: ${container.output}`)));
    });
    return container;
  }

  private constructor(image: Image, options: ContainerOptions) {
    this.#image = image;
    this.#options = options;
    const { root, config } = image;
    const command = [...(options.entrypoint ?? config.entrypoint), ...(options.args ?? [])];
    const [uid, gid] = options.user ?? [];
    const wall = options.capabilities === undefined ? [] : capabilityWall(options.capabilities);
    const identity = uid === undefined ? [] : [`--setuid=${uid}`, `--setgid=${gid}`];
    const inside = ["unshare", `--root=${root}`, `--wd=${config.workdir}`, ...identity, "--", ...wall, ...command];
    const env = Object.entries({ ...config.env, ...options.env }).map(([name, value]) => `${name}=${value}`);
    const script = [...this.#mounts(), "ip link set lo up", 'exec env -i "$@"'].join(" && ");
    const namespaces = ["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"];
    this.#child = spawn("unshare", [...namespaces, "sh", "-c", script, "sh", ...env, ...inside], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.exited = once(this.#child, "exit").then(([code]) => ({ code: code as number | null }));
    this.#onOutput((text) => {
      this.output += text;
    });
  }

  /** Runs a command inside, as this user; resolves with what it says. */
  async run(
    command: readonly string[],
    { uid = 0, gid = uid, env = {} }: { uid?: number; gid?: number; env?: Record<string, string> } = {},
  ) {
    const given = Object.entries({ ...this.#image.config.env, ...this.#options.env, ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const enter = ["nsenter", `--target=${this.pid}`, "--mount", "--pid", "--net", "--ipc", "--uts", "--root", "--wd"];
    const user = uid === 0 ? [] : [`--setuid=${uid}`, `--setgid=${gid}`];
    const done = execute("env", ["-i", ...given, ...enter, ...user, "--", ...command], { timeout: 60_000 });
    return done.then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error: { code?: number; stdout: string; stderr: string }) => ({
        code: error.code ?? -1,
        said: `${error.stdout}${error.stderr}`,
      }),
    );
  }

  /** The number, outside, of its first process. */
  get pid(): number {
    const { pid = 0 } = this.#child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
  }

  /** As `docker stop`: a signal to its first process. Resolves with the code it ends with. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    process.kill(this.pid, signal);
    const { code } = await this.exited;
    return code;
  }

  /** Ends it whatever it does. */
  async remove(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill("SIGKILL");
    await this.exited;
  }

  #onOutput(take: (text: string) => void): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding("utf8").on("data", take);
  }

  #mounts(): string[] {
    const { root } = this.#image;
    const { mounts, memory = [], isReadOnly = false } = this.#options;
    const whole = isReadOnly
      ? [`mount --bind ${root} ${root}`]
      : [
          // Hides the machine's /mnt from this container's mounts, and from nobody else.
          "mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work",
          `mount -t overlay overlay -o lowerdir=${root},upperdir=/mnt/upper,workdir=/mnt/work ${root}`,
        ];
    return [
      ...whole,
      `mount -t proc proc ${root}/proc`,
      `mount --rbind /dev ${root}/dev`,
      ...Object.entries(mounts).map(([place, folder]) => `mount --bind ${folder} ${root}${place}`),
      ...memory.map((place) => `mount -t tmpfs -o mode=1777 tmpfs ${root}${place}`),
      ...(isReadOnly ? [`mount -o remount,bind,ro ${root}`] : []),
    ];
  }
}

/** By the image's own setpriv. */
function capabilityWall(capabilities: readonly string[]): string[] {
  const set = ["-all", ...capabilities.map((name) => `+${name.toLowerCase()}`)].join(",");
  return ["setpriv", "--no-new-privs", `--bounding-set=${set}`, "--inh-caps=-all", "--"];
}
