import type { IncomingMessage } from "node:http";
import { extname } from "node:path";
import { promisify } from "node:util";
import { type Answer, problemAnswer } from "@muster/http";
import { Failure } from "@muster/schema/wire";
import { readPageFile } from "./page-folder.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Nothing from elsewhere, nothing inline, nothing that turns text into markup, and no place in another page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const safety = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

export function isPagePath(path: string): boolean {
  return path === "/inspect" || path.startsWith("/inspect/");
}

/** A browser that was given the daemon's address: somebody wants to look. Programs take JSON, or anything. */
export function wantsPage({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.accept?.includes("text/html") === true;
}

/** Relative, so that it is right behind a proxy too. */
export const toPage: Answer = { status: 303, headers: { location: "inspect", vary: "accept" } };

/** A file of the page. It holds nothing but code, so that it needs no token; what it shows it has to ask for. */
export async function pageAnswer({ method, headers }: IncomingMessage, path: string): Promise<Answer> {
  if (method !== "GET" && method !== "HEAD") {
    const failure = new Failure("method_not_allowed", `${path} takes GET, not ${method}`);
    return problemAnswer(failure.toProblem(), { allow: "GET" });
  }
  const name = path.slice("/inspect/".length) || "index.html";
  const file = await fileOf(name);
  if (file === undefined) return problemAnswer(missing(name).toProblem());
  const packed = headers["accept-encoding"]?.includes("gzip") === true;
  return {
    status: 200,
    type: types[extname(name)],
    content: packed ? file.packed : file.content,
    headers: {
      ...safety,
      // The other names change with their content.
      "cache-control": name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(packed ? { "content-encoding": "gzip" } : {}),
    },
  };
}

interface PageFile {
  content: Buffer;
  packed: Buffer;
}

const kept = new Map<string, PageFile>();

/** Read once: a page that is built again while the daemon runs has other names. */
async function fileOf(name: string): Promise<PageFile | undefined> {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name) || types[extname(name)] === undefined) return undefined;
  const known = name === "index.html" ? undefined : kept.get(name);
  if (known !== undefined) return known;
  const content = await readPageFile(name);
  if (content === undefined) return undefined;
  // Only here: no start needs it.
  const { gzip } = await import("node:zlib");
  const file = { content, packed: await promisify(gzip)(content) };
  kept.set(name, file);
  return file;
}

function missing(name: string): Failure {
  return new Failure(
    "not_found",
    name === "index.html" ? "The page is not built; npm run build" : `The page has no ${name}`,
  );
}
