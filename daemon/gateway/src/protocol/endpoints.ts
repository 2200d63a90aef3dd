import type { WireRequest } from "../ports.ts";

/** A listed path of a provider. Only `model` costs money; `count` counts tokens and `models` lists models. */
export interface Endpoint {
  readonly kind: "model" | "count" | "models";
  readonly protocol: WireRequest["protocol"];
  /** Gemini names the model in the path. */
  readonly model?: string | undefined;
}

type Row = readonly [method: "POST" | "GET", path: RegExp, kind: Endpoint["kind"], protocol: Endpoint["protocol"]];

const rows: readonly Row[] = [
  ["POST", /^\/messages$/, "model", "messages"],
  ["POST", /^\/messages\/count_tokens$/, "count", "messages"],
  // Gemini speaks Chat Completions too, at /v1beta/openai.
  ["POST", /^(?:\/openai)?\/chat\/completions$/, "model", "chat"],
  ["POST", /^\/responses(?:\/compact)?$/, "model", "responses"],
  ["POST", /^\/models\/([^/:]+):(?:stream)?[gG]enerateContent$/, "model", "gemini"],
  ["POST", /^\/models\/([^/:]+):countTokens$/, "count", "gemini"],
  ["GET", /^(?:\/openai)?\/models(?:\/[^:?#]+)?$/, "models", "chat"],
];

/** What may be asked of a provider; whatever else it offers is not forwarded. */
export function endpointOf(method: string | undefined, path: string): Endpoint | undefined {
  const whole = path.replace(/\?.*$/s, "");
  if (leadsElsewhere(whole)) return undefined;
  const rest = whole.replace(/^\/v\d\w*(?=\/)/, "");
  for (const [wanted, pattern, kind, protocol] of rows) {
    const found = method === wanted ? pattern.exec(rest) : null;
    if (found === null) continue;
    return { kind, protocol, ...(found[1] !== undefined && { model: decodeURIComponent(found[1]) }) };
  }
  return undefined;
}

/**
 * A path that an address would read otherwise than the table does: `..`, `\`, letters that addresses leave out, also when
 * they are encoded. `/models/../files` would be another path of the provider, with the real key.
 */
function leadsElsewhere(path: string): boolean {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: addresses leave them out without a word.
    if (/[\\\x00-\x20\x7f]/.test(decodeURIComponent(path))) return true;
    return decodeURIComponent(path)
      .split("/")
      .some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  } catch {
    // A broken encoding is no path that a provider has.
    return true;
  }
}

const protocols: Readonly<Record<string, readonly Endpoint["protocol"][]>> = {
  anthropic: ["messages"],
  openai: ["responses", "chat"],
  gemini: ["gemini", "chat"],
};

/** Whether a provider's placeholder opens this; a provider that is not in the table may speak any of the protocols. */
export function isOfProvider({ kind, protocol }: Endpoint, provider: string): boolean {
  if (kind === "models" || !Object.hasOwn(protocols, provider)) return true;
  return protocols[provider]?.includes(protocol) ?? true;
}

/** The protocol in whose words a request is refused before it is known whose it is. */
export function protocolOfPath(path: string): Endpoint["protocol"] {
  if (path.includes("/messages")) return "messages";
  if (path.includes("/responses")) return "responses";
  return /:\w*generateContent/i.test(path) ? "gemini" : "chat";
}
