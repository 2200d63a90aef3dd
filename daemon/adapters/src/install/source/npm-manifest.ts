import { z } from "zod";
import { isVersion } from "../release/vendor.ts";

/** What we read of a registry's answer about one version of a package. */
export interface NpmManifest {
  name: string;
  version: string;
  tarball: string;
  /** As it stands there: this text is what a registry signs. */
  integrity: string;
  signatures: readonly Signature[];
}

export interface Signature {
  keyid: string;
  /** ECDSA over `name@version:integrity`, DER in base64. */
  sig: string;
}

const Manifest = z.object({
  version: z.string().refine(isVersion),
  dist: z.object({
    tarball: z.string(),
    integrity: z.string().catch(""),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).nullish(),
  }),
});

export function readManifest(name: string, text: string): NpmManifest {
  const { data, error } = Manifest.safeParse(JSON.parse(text));
  // A signature that cannot be read is none that holds: it must not pass for a package without one.
  if (error) throw new Error(`the registry's answer about ${name} cannot be read: ${error.issues[0]?.path.join(".")}`);
  const { version, dist } = data;
  return { name, version, tarball: dist.tarball, integrity: dist.integrity, signatures: dist.signatures ?? [] };
}
