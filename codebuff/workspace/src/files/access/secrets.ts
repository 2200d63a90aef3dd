/** Names that hold keys or passwords, and the templates among them that are written to be shared. */
const templates = /^\.env\.(?:example|template|sample)$/i;

const secretNames: readonly RegExp[] = [
  /^\.env(?:\..+)?$/i,
  /^\.envrc$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|crt|cer|der)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/i,
  /^\.(?:netrc|npmrc|pypirc|git-credentials|htpasswd|dockercfg|pgpass|my\.cnf)$/i,
  /^_netrc$/i,
  /^credentials(?:\.(?:json|ya?ml|toml|ini|csv))?$/i,
  /^(?:client_secret|service[-_]account).*\.json$/i,
  /^secrets?\.(?:json|ya?ml|toml|ini|env)$/i,
];
const secretDirectories = new Set([".ssh", ".gnupg", ".aws", ".kube"]);

export type Secrecy = "open" | "template" | "secret";

/** An embedding program's own word about each path, relative to the project when inside. */
export type FileFilter = (path: string) => { readonly status: "allow" | "blocked" | "allow-example" };

export function secrecyOf(path: string): Secrecy {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  if (templates.test(name)) return "template";
  // The environment and the memory of other processes, ours among them.
  if (/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/.test(path)) return "secret";
  if (names.slice(0, -1).some((directory) => secretDirectories.has(directory))) return "secret";
  return secretNames.some((pattern) => pattern.test(name)) ? "secret" : "open";
}

/** The same list for ripgrep, which would show their content line by line. */
export const secretGlobs: readonly string[] = [
  "!.env",
  "!.env.*",
  "!.envrc",
  "!*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,asc,gpg,crt,cer,der}",
  "!id_{rsa,dsa,ecdsa,ed25519}",
  "!.{netrc,npmrc,pypirc,git-credentials,htpasswd,dockercfg,pgpass,my.cnf}",
  "!_netrc",
  "!credentials",
  "!credentials.{json,yml,yaml,toml,ini,csv}",
  "!{client_secret,service-account,service_account}*.json",
  "!{secret,secrets}.{json,yml,yaml,toml,ini,env}",
  "!{.ssh,.gnupg,.aws,.kube}/**",
];
