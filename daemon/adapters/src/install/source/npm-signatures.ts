import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { HttpFailure } from "../../network/http.ts";
import { IntegrityFailure } from "../release/integrity.ts";
import { npmKeys, RegistryKey } from "./npm-keys.ts";
import type { NpmManifest, Signature } from "./npm-manifest.ts";
import { type AskRegistry, packumentUrl } from "./registry.ts";

/**
 * Who signed a package, in words. Throws when a signature does not hold and when nobody knows its key. The public
 * registry signs everything, but mirrors answer in its name and leave signatures out: then that is what is said.
 */
export async function checkSignatures(ask: AskRegistry, manifest: NpmManifest): Promise<string> {
  const { name, version, signatures } = manifest;
  if (signatures.length === 0) return "the registry gives no signature";
  const signed = await withKeys(ask, signatures);
  const [first] = signed;
  if (!first) {
    const unknown = signatures.map(({ keyid }) => keyid).join(", ");
    throw new IntegrityFailure(`${name}@${version} is signed with a key nobody knows: ${unknown}`);
  }
  for (const each of signed) checkSignature(manifest, each);
  await checkAge(ask, manifest, signed);
  return `signed with ${first.owner} key ${first.key.keyid}`;
}

interface Signed {
  signature: Signature;
  key: RegistryKey;
  owner: "npm's" | "the registry's own";
}

/** Those whose key is known: npm's that came with us, else what the registry itself gives. */
async function withKeys(ask: AskRegistry, signatures: readonly Signature[]): Promise<Signed[]> {
  const byNpm = find(signatures, npmKeys, "npm's");
  return byNpm.length > 0 ? byNpm : find(signatures, await keysOf(ask), "the registry's own");
}

function find(signatures: readonly Signature[], keys: readonly RegistryKey[], owner: Signed["owner"]): Signed[] {
  return signatures.flatMap((signature) => {
    const key = keys.find(({ keyid }) => keyid === signature.keyid);
    return key ? [{ signature, key, owner }] : [];
  });
}

const Keys = z.object({ keys: z.array(RegistryKey) });

async function keysOf(ask: AskRegistry): Promise<readonly RegistryKey[]> {
  try {
    return Keys.parse(JSON.parse(await ask("-/npm/v1/keys"))).keys;
  } catch (error) {
    // A registry without keys of its own passes on what another one signed.
    if (error instanceof HttpFailure && error.status === 404) return [];
    throw error;
  }
}

function checkSignature({ name, version, integrity }: NpmManifest, { signature, key }: Signed): void {
  const text = Buffer.from(`${name}@${version}:${integrity}`);
  const publicKey = createPublicKey({ key: Buffer.from(key.key, "base64"), format: "der", type: "spki" });
  if (verify("sha256", text, publicKey, Buffer.from(signature.sig, "base64"))) return;
  throw new IntegrityFailure(`the signature of ${name}@${version} does not hold (key ${key.keyid})`);
}

/** A key that has expired still vouches for what was published while it was valid. */
async function checkAge(ask: AskRegistry, { name, version }: NpmManifest, signed: readonly Signed[]): Promise<void> {
  const ends = signed.map(({ key }) => (key.expires ? Date.parse(key.expires) : Number.POSITIVE_INFINITY));
  const end = Math.max(...ends);
  if (end > Date.now()) return;
  const { time } = JSON.parse(await ask(packumentUrl(name))) as { time?: Record<string, string> };
  const publishedAt = Date.parse(time?.[version] ?? "");
  if (publishedAt < end) return;
  const when = Number.isNaN(publishedAt) ? "at an unknown time" : `at ${time?.[version]}`;
  throw new IntegrityFailure(`${name}@${version}, published ${when}, is signed with a key that had expired`);
}
