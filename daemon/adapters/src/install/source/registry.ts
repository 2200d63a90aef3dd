import { getText, type Network } from "../../network/http.ts";
import type { NpmConfig } from "./npm-config.ts";

const publicRegistry = "https://registry.npmjs.org/";

/** The registry a package comes from: its scope's, or the one of everything else. Ends with a slash. */
export function registryOf(config: NpmConfig, packageName: string): string {
  const [scope] = packageName.startsWith("@") ? packageName.split("/") : [];
  const scoped = scope === undefined ? undefined : config.get(`${scope}:registry`);
  const registry = scoped ?? config.get("registry") ?? publicRegistry;
  return registry.endsWith("/") ? registry : `${registry}/`;
}

export function manifestUrl(registry: string, packageName: string, version: string): string {
  return `${registry}${packumentUrl(packageName)}/${encodeURIComponent(version)}`;
}

/** Everything about a package, relative to its registry. */
export function packumentUrl(packageName: string): string {
  return packageName.replace("/", "%2f");
}

/** Relative to the registry, or a whole address. */
export type AskRegistry = (url: string) => Promise<string>;

/** Documents of one registry, asked for as npm would. */
export function askRegistry(
  { network, config, signal }: { network: Network; config: NpmConfig; signal?: AbortSignal | undefined },
  registry: string,
): AskRegistry {
  return (address) => {
    const url = new URL(address, registry).href;
    return getText(network, url, { headers: registryHeaders(config, url), signal });
  };
}

/** Registries that mirror the public one pass its tarball addresses on unchanged; npm then asks the mirror, and so do we. */
export function tarballUrl(registry: string, tarball: string): string {
  if (registry === publicRegistry || !tarball.startsWith(publicRegistry)) return tarball;
  return registry + tarball.slice(publicRegistry.length);
}

/** The credentials npm would send to this address, and to no other: settings are named after the registry's path. */
export function registryHeaders(config: NpmConfig, url: string): Record<string, string> {
  const { host, pathname } = new URL(url);
  const parts = pathname.split("/");
  for (let length = parts.length; length > 0; length--) {
    const place = `//${host}${parts.slice(0, length).join("/")}/`.replace(/\/+$/, "/");
    const token = config.get(`${place}:_authToken`);
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    const basic = config.get(`${place}:_auth`) ?? nameAndPassword(config, place);
    if (basic !== undefined) return { authorization: `Basic ${basic}` };
  }
  return {};
}

function nameAndPassword(config: NpmConfig, place: string): string | undefined {
  const name = config.get(`${place}:username`);
  const password = config.get(`${place}:_password`);
  if (name === undefined || password === undefined) return undefined;
  return Buffer.from(`${name}:${Buffer.from(password, "base64").toString()}`).toString("base64");
}
