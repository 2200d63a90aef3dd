/** One instruction of a Dockerfile: its name, and what follows, with its lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
  /** Its words, where it is written as JSON. */
  readonly words?: readonly string[] | undefined;
}

const known = ["FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"];

/** Reads as much of the language as our Dockerfiles use; anything else is refused. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line) && line.trim() !== "");
  const whole = lines
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return whole.map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!known.includes(name)) throw new Error(`Not an instruction of a Dockerfile here: ${line}`);
    return { name, text: rest, words: rest.startsWith("[") ? (JSON.parse(rest) as string[]) : undefined };
  });
}

/** What a container is started with. */
export interface ImageConfig {
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly workdir: string;
  readonly volumes: readonly string[];
  readonly ports: readonly number[];
  /** As the engine runs it: in a shell, or the words as they are. */
  readonly healthcheck: readonly string[];
}

const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function configOf(instructions: readonly Instruction[]): ImageConfig {
  const all = (name: string) => instructions.filter((one) => one.name === name);
  const words = (name: string) => all(name).flatMap((one) => one.words ?? [one.text]);
  const health = all("HEALTHCHECK")[0]?.text.replace(/^(--\S+\s+)*CMD\s+/, "") ?? "";
  return {
    env: {
      PATH: searchPath,
      ...Object.fromEntries(all("ENV").map(({ text }) => text.split(/=(.*)/s).slice(0, 2) as [string, string])),
    },
    entrypoint: words("ENTRYPOINT"),
    workdir: all("WORKDIR").at(-1)?.text ?? "/",
    volumes: words("VOLUME"),
    ports: all("EXPOSE").map(({ text }) => Number(text)),
    healthcheck: health.startsWith("[") ? (JSON.parse(health) as string[]) : ["/bin/sh", "-c", health],
  };
}
