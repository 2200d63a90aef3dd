import type { CalledProgram } from "../bash/called-programs.ts";

/** A longer query, path or name of a host can hold what was read. */
const longestQuery = 64;
const longestPath = 200;
const longestLabel = 40;

/** Whether an address could be a message in itself. */
export function carriesData(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // What is no address is not fetched.
    return false;
  }
  return (
    url.search.length > longestQuery ||
    url.pathname.length > longestPath ||
    url.username !== "" ||
    url.hostname.split(".").some((label) => label.length > longestLabel)
  );
}

/** What a program does with the network, by its words: `sends` something of ours, `fetches` words of others, or both. */
export function dangersOfNetwork(program: CalledProgram): ("sends" | "fetches")[] {
  const { name, args, command } = program;
  const words = args.map((arg) => arg.text);
  const line = words.join(" ");
  const fetcher = fetchers.test(name);
  const sends =
    (Object.hasOwn(senders, name) && senders[name]?.test(line) === true) ||
    (fetcher && (args.some((arg) => !arg.sure) || words.some(carriesData))) ||
    (fetcher && command.stdin !== undefined && /(?:^|\s)@?-(?:\s|$)/.test(line));
  return [...(sends ? (["sends"] as const) : []), ...(fetcher ? (["fetches"] as const) : [])];
}

const fetchers = /^(?:curl|wget|http|https|xh|aria2c|lynx|links|w3m|gh|glab)$/;
const anything = /^/;

/** Program → the words with which it sends. */
const senders: Readonly<Record<string, RegExp>> = {
  curl: /(?:^|\s)(?:-[a-zA-Z]*[dFT]|--(?:data\S*|json|form\S*|upload-file|url-query)|(?:-X|--request)[ =]?(?:POST|PUT|PATCH|DELETE))/,
  wget: /--(?:post-data|post-file|body-data|body-file|method=(?:POST|PUT|PATCH))/i,
  http: /(?:^|\s)(?:POST|PUT|PATCH|DELETE)\s|\S+:?=\S|@/,
  https: /(?:^|\s)(?:POST|PUT|PATCH|DELETE)\s|\S+:?=\S|@/,
  xh: /(?:^|\s)(?:post|put|patch|delete)\s|\S+:?=\S|@/i,
  git: /^(?:-\S+\s+(?:\S+\s+)?)*(?:push|send-email|request-pull|send-pack)\b/,
  gh: /^(?:gist|release|pr|issue|repo|secret|variable|workflow)\s+(?:create|edit|comment|set|run|upload|review|merge|close)|^api\b.*\s(?:-X|--method|-f|-F|--field|--raw-field|--input)/,
  glab: /\b(?:create|note|update|set|upload)\b/,
  nc: anything,
  ncat: anything,
  netcat: anything,
  socat: anything,
  telnet: anything,
  ssh: anything,
  scp: anything,
  sftp: anything,
  ftp: anything,
  rsync: /\S+:\S|rsync:\/\//,
  rclone: anything,
  mail: anything,
  sendmail: anything,
  mutt: anything,
  msmtp: anything,
  npm: /^(?:publish|login|owner|dist-tag)\b/,
  pnpm: /^publish\b/,
  yarn: /^(?:npm\s+)?publish\b/,
  cargo: /^publish\b/,
  twine: /^upload\b/,
  gem: /^push\b/,
  docker: /^(?:push|login)\b|^image\s+push\b/,
  podman: /^(?:push|login)\b/,
  aws: /\b(?:cp|mv|sync|put-\S+|send-\S+|publish|invoke)\b/,
  gsutil: /\b(?:cp|mv|rsync)\b/,
  gcloud: /\b(?:upload|publish|deploy|copy-files|scp)\b/,
  dig: /\S{40,}/,
  nslookup: /\S{40,}/,
  host: /\S{40,}/,
  ping: /\S{40,}/,
};
