import { isIP } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { OwnPrices } from "@muster/metering";
import { z } from "zod";
import { readPrices } from "./prices-file.ts";

export const providerNames = ["openrouter", "openai", "fireworks"] as const;
export type ProviderName = (typeof providerNames)[number];

export interface Provider {
  readonly baseUrl: string;
  /** Without a key a provider is off. */
  readonly apiKey: string | undefined;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  /** Where people reach the server; by default the address of the request. */
  readonly publicUrl: string | undefined;
  readonly providers: Readonly<Record<ProviderName, Provider>>;
  readonly trustedProxies: readonly string[];
  readonly trustedHops: number;
  /** The header in which a trusted proxy tells the country of the client. */
  readonly countryHeader: string;
  readonly freeModeCountries: readonly string[];
  readonly refuseUnknownCountry: boolean;
  /** Calls of free mode a minute and a day per account; 0 is no limit. */
  readonly freeCallsPerMinute: number;
  readonly freeCallsPerDay: number;
  readonly freeCreditsPerMonth: number;
  /** Calls of support agents that cost fewer credits than this are free. */
  readonly supportFreeBelow: number;
  /** Requests a minute per key; 0 is no limit. */
  readonly requestsPerMinute: number;
  readonly webSearchUrl: string | undefined;
  readonly docsSearchUrl: string | undefined;
  readonly metricsToken: string | undefined;
  /** The operator's own, before those of the table. */
  readonly prices: OwnPrices;
  readonly agentModeModel: string;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

const count = (otherwise: number, most = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(0).max(most).default(otherwise);
const list = (otherwise: string) =>
  z
    .string()
    .default(otherwise)
    .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ""));
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));

const Environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8787),
  CODEBUFF_SERVER_DATA: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  PUBLIC_URL: url.optional(),
  OPENROUTER_API_KEY: z.string().optional(),
  OPENROUTER_BASE_URL: url.default("https://openrouter.ai/api"),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: url.default("https://api.openai.com"),
  FIREWORKS_API_KEY: z.string().optional(),
  FIREWORKS_BASE_URL: url.default("https://api.fireworks.ai/inference"),
  TRUSTED_PROXIES: list("").refine(
    (entries) => entries.every(isAddressRange),
    "must be addresses or ranges such as 10.0.0.0/8",
  ),
  TRUSTED_HOPS: count(0, 10),
  COUNTRY_HEADER: z.string().default("cf-ipcountry"),
  FREE_MODE_COUNTRIES: list("US CA GB AU NZ NO SE NL DK DE FI BE LU CH IE IS"),
  FREE_MODE_REFUSES_UNKNOWN: z.enum(["0", "1"]).default("0"),
  FREE_MODE_PER_MINUTE: count(30),
  FREE_MODE_PER_DAY: count(1_000),
  FREE_CREDITS_PER_MONTH: count(500, 1_000_000_000),
  SUPPORT_AGENT_FREE_BELOW: count(5, 1_000_000),
  REQUESTS_PER_MINUTE: count(0),
  WEB_SEARCH_URL: url.optional(),
  DOCS_SEARCH_URL: url.optional(),
  PRICES_FILE: z.string().optional(),
  METRICS_TOKEN: z.string().min(1).optional(),
  AGENT_MODE_MODEL: z.string().default("google/gemini-2.5-pro"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
});

function isAddressRange(entry: string): boolean {
  const [net = "", bits, ...rest] = entry.split("/");
  const family = isIP(net);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** The environment, checked. An empty variable counts as not set. Throws a text for people. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const read = Environment.safeParse(given);
  if (!read.success) throw new TypeError(`The configuration is not valid:\n${z.prettifyError(read.error)}`);
  const value = read.data;
  const dataDirectory = resolve(value.CODEBUFF_SERVER_DATA ?? join(homedir(), ".codebuff-server"));
  return {
    host: value.HOST,
    port: value.PORT,
    dataDirectory,
    databaseUrl: value.DATABASE_URL ?? `sqlite:${join(dataDirectory, "codebuff.db")}`,
    publicUrl: value.PUBLIC_URL,
    providers: {
      openrouter: { baseUrl: value.OPENROUTER_BASE_URL, apiKey: value.OPENROUTER_API_KEY },
      openai: { baseUrl: value.OPENAI_BASE_URL, apiKey: value.OPENAI_API_KEY },
      fireworks: { baseUrl: value.FIREWORKS_BASE_URL, apiKey: value.FIREWORKS_API_KEY },
    },
    trustedProxies: value.TRUSTED_PROXIES,
    trustedHops: value.TRUSTED_HOPS,
    countryHeader: value.COUNTRY_HEADER.toLowerCase(),
    freeModeCountries: value.FREE_MODE_COUNTRIES.map((country) => country.toUpperCase()),
    refuseUnknownCountry: value.FREE_MODE_REFUSES_UNKNOWN === "1",
    freeCallsPerMinute: value.FREE_MODE_PER_MINUTE,
    freeCallsPerDay: value.FREE_MODE_PER_DAY,
    freeCreditsPerMonth: value.FREE_CREDITS_PER_MONTH,
    supportFreeBelow: value.SUPPORT_AGENT_FREE_BELOW,
    requestsPerMinute: value.REQUESTS_PER_MINUTE,
    webSearchUrl: value.WEB_SEARCH_URL,
    docsSearchUrl: value.DOCS_SEARCH_URL,
    prices: value.PRICES_FILE === undefined ? {} : readPrices(value.PRICES_FILE),
    metricsToken: value.METRICS_TOKEN,
    agentModeModel: value.AGENT_MODE_MODEL,
    logLevel: value.LOG_LEVEL,
  };
}
