import { type Operation, type OperationId, operationIds, operations } from "@muster/schema";

/** Where the attacks want to get, and from where. */
export interface Grounds {
  /** The directory of the session that may be reached. */
  readonly root: string;
  /** A directory beside it with a file `secret`. */
  readonly outside: string;
  readonly dataDirectory: string;
}

/** Every way we know to say a path that leads out, or that another program would read as one. */
export function hostilePaths({ root, outside, dataDirectory }: Grounds): string[] {
  const up = ["..", "../..", "../../..", "sub/../..", "sub/../../outside", "./..//..", "sub/./../../outside/."];
  const names = ["secret", "", "/", "/."];
  const plain = [
    outside,
    dataDirectory,
    "/etc",
    "/",
    "/proc/self/root",
    "/proc/self/cwd",
    "/proc/1/root",
    "/dev/fd",
    "/sys",
  ];
  const files = ["secret", "token", "passwd", "environ", "access-tokens.json", "shadow"];
  const encodings = (path: string) => [
    path.replaceAll("/", "%2f"),
    path.replaceAll(".", "%2e"),
    path.replaceAll("/", "\\"),
    path.replaceAll(".", "．"),
    path.replaceAll("/", "／"),
    path.replaceAll("/", "∕"),
    path.replaceAll("..", ". ."),
    path.replaceAll("..", ".%00."),
    path.replaceAll("..", "..;"),
    `${path}\0.txt`,
    `${path}%00`,
    path.toUpperCase(),
    `\u202e${path}`,
    `${path}\n`,
    path.normalize("NFD"),
  ];
  const links = ["link-out", "link-up", "link-chain", "link-proc", "link-data", "link-relative", "sub/link-out"];
  const through = links.flatMap((link) =>
    files.map((file) => `${link}/${file}`).concat(link, `${link}/`, `${link}/..`),
  );
  const ups = up.flatMap((start) => [...names, "outside/secret"].map((name) => `${start}/${name}`));
  const absolute = plain.flatMap((start) => [start, ...files.map((file) => `${start}/${file}`)]);
  const odd = [
    `${root}/../outside/secret`,
    `${root}/sub/../../outside/secret`,
    `${root}-evil/secret`,
    `${root.toUpperCase()}/../outside/secret`,
    `//${outside}/secret`,
    `/./${outside}/secret`,
    `file://${outside}/secret`,
    `~/secret`,
    `${"../".repeat(50)}${outside.slice(1)}/secret`,
    `${"a/".repeat(600)}..`,
    "x".repeat(20_000),
    "\0",
    "/proc/self/fd/3",
    "/proc/self/fd/../../../etc/passwd",
    "/proc/thread-self/root/etc/passwd",
    "/dev/stdin",
    "/dev/tcp/127.0.0.1/1",
  ];
  const bare = [...ups, ...absolute, ...odd];
  return [...new Set([...bare, ...through, ...[...ups.slice(0, 12), `${outside}/secret`].flatMap(encodings)])];
}

/** Every operation of the table that names a path, and by which fields. */
export const pathOperations: readonly { id: OperationId; operation: Operation; fields: readonly string[] }[] =
  operationIds
    .map((id) => ({ id, operation: operations[id] as Operation }))
    .filter(({ operation }) => "session" in { ...operation.query?.shape, ...operation.body?.shape })
    .map(({ id, operation }) => {
      const shape = { ...operation.query?.shape, ...operation.body?.shape };
      return { id, operation, fields: ["path", "pathBytes", "from", "to"].filter((name) => name in shape) };
    });
