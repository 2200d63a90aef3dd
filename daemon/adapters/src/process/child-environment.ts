/** What an agent may see of the daemon's own environment. Everything else, secrets above all, stays here. */
const allowed = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ"],
  ...["LANG", "LANGUAGE", "TERM", "COLORTERM"],
  ...["TMPDIR", "TMP", "TEMP"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"],
]);

/** The variable by which every process of one life is found again, wherever it moved in the process tree. */
export const lifeVariable = "MUSTER_LIFE";

/** The environment of a child: the allow-list of `own`, then what the adapter adds, then the marker of its life. */
export function childEnvironment(
  own: NodeJS.ProcessEnv,
  additions: Readonly<Record<string, string>>,
  marker: string,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (allowed.has(name) || name.startsWith("LC_"))) environment[name] = value;
  }
  return { ...environment, ...additions, [lifeVariable]: marker };
}

/** The same, where loopback is reached without a proxy: three of four agents would send it their model requests. */
export function withoutProxyHere(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { NO_PROXY, no_proxy } = environment;
  const names = [NO_PROXY, no_proxy, "127.0.0.1,localhost"].flatMap((list) => list?.split(",") ?? []);
  const list = [...new Set(names.map((name) => name.trim()).filter(Boolean))].join(",");
  return { ...environment, NO_PROXY: list, no_proxy: list };
}

/** Those of these variables that are set. */
export function pickVariables(env: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
