import type { Environment } from "./environment.ts";

/**
 * Variables a command needs to find its programs, speak the person's language and build; none of them holds a key. By
 * `MUSTER_LIFE` a daemon finds what a life of an agent has started, and ends it.
 */
const names = new Set(
  `PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL HOSTNAME LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR TZ
TMPDIR TMP TEMP CI MUSTER_LIFE EDITOR VISUAL PAGER DISPLAY WAYLAND_DISPLAY SSH_AUTH_SOCK
XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_SESSION_TYPE
NODE_ENV NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_DIR
DENO_INSTALL COREPACK_HOME PLAYWRIGHT_BROWSERS_PATH npm_config_cache npm_config_nodedir npm_config_prefix
PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE
PYENV_ROOT PYENV_VERSION POETRY_HOME PIPX_HOME UV_CACHE_DIR
GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOOS GOARCH GOPRIVATE GOTOOLCHAIN CGO_ENABLED
CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE RUST_LOG
JAVA_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT SDKMAN_DIR DOTNET_ROOT
RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE
HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY MANPATH INFOPATH
LD_LIBRARY_PATH DYLD_LIBRARY_PATH LIBRARY_PATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH CPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS
SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
DOCKER_HOST KUBECONFIG SystemRoot ComSpec PATHEXT APPDATA LOCALAPPDATA USERPROFILE`.split(/\s+/),
);

/** The variable in which the person names more of them, separated by commas. */
export const moreVariables = "CODEBUFF_VARIABLES";

/**
 * What of an environment a program that is not the person's own gets: the list above, the `LC_` ones, and those the person
 * named. One whose value is an address with a password is left out unless it was named.
 */
export function allowedVariables(environment: NodeJS.ProcessEnv, more: readonly string[] = []): Environment {
  const named = new Set([...more, ...(environment[moreVariables] ?? "").split(",").map((name) => name.trim())]);
  const known = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    known.filter(
      ([name, value]) =>
        named.has(name) || ((names.has(name) || name.startsWith("LC_")) && !/:\/\/[^/\s@]*:[^/\s@]+@/.test(value)),
    ),
  );
}

/** Values that are secret by the name of their variable: what a text must not show. */
export function secretValues(environment: NodeJS.ProcessEnv): string[] {
  const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PAT|_DSN)$/i;
  return Object.entries(environment).flatMap(([name, value = ""]) =>
    secret.test(name) && value.length >= 8 && !value.startsWith("/") ? [value] : [],
  );
}
