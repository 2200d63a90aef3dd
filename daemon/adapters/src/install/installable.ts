import type { AgentInfo } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { type AgentCredentials, surroundingsOf } from "../credentials/discovery.ts";
import { findInstalled } from "./find-installed.ts";
import { ensureInstalled } from "./installer.ts";
import type { Release } from "./release.ts";

/** What there is of an agent before it can be driven: it can be looked up and installed. */
export type Installable = Pick<Adapter, "id" | "name" | "info" | "install">;

export function installable(release: Release, own: AgentCredentials): Installable {
  const { id, name } = release;
  return {
    id,
    name,
    async info(host): Promise<AgentInfo> {
      const found = await findInstalled(host, release, { trusting: true });
      const { credentials } = await own.discover(surroundingsOf(host));
      const where = found && { version: found.version, path: found.path, source: found.source };
      return { id, name, installed: found !== undefined, ...where, credentialsAvailable: credentials.length > 0 };
    },
    install: (host, request, progress) => ensureInstalled(host, release, request, progress),
  };
}
