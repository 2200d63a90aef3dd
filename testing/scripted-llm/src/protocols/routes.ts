import type { ProtocolName } from "../request/model-request.ts";
import type { RawReply, Script } from "../script/script.ts";

/** What a method and a path ask for. Prefixes differ by client (`/v1`, `/api/v1`, a gateway's own), the end does not. */
export type Target =
  | { readonly kind: "model"; readonly protocol: ProtocolName }
  | { readonly kind: "count_tokens" }
  | { readonly kind: "models"; readonly id: string | undefined }
  | { readonly kind: "fixed"; readonly reply: RawReply }
  | { readonly kind: "hello" }
  | { readonly kind: "unknown" };

const modelPaths: readonly (readonly [end: RegExp, protocol: ProtocolName])[] = [
  [/\/messages$/, "anthropic"],
  [/\/chat\/completions$/, "chat"],
  [/\/responses$/, "responses"],
  [/:(?:generateContent|streamGenerateContent)$/, "gemini"],
];

export function targetOf(method: string, path: string, script: Script): Target {
  const pathname = path.split("?")[0] ?? "";
  const fixed = script.routes?.find((route) => route.method === method && route.path === pathname);
  if (fixed !== undefined) return { kind: "fixed", reply: fixed };
  if (method === "POST" && pathname.endsWith("/messages/count_tokens")) return { kind: "count_tokens" };
  const found = method === "POST" ? modelPaths.find(([end]) => end.test(pathname)) : undefined;
  if (found !== undefined) return { kind: "model", protocol: found[1] };
  const models = /\/models(?:\/([^/]+))?$/.exec(pathname);
  if (method === "GET" && models !== null) {
    return { kind: "models", id: models[1] === undefined ? undefined : decodeURIComponent(models[1]) };
  }
  // Claude Code 2.1 greets its service with HEAD /api/hello unless told not to.
  const isHello = pathname === "/" || pathname === "/api/hello";
  return isHello && (method === "GET" || method === "HEAD") ? { kind: "hello" } : { kind: "unknown" };
}
