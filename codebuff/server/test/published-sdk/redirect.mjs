// Preload for `node --import`: the fixed host of the published SDK becomes CB_BACKEND; every other host but this machine is refused.
const backend = process.env.CB_BACKEND;
const realFetch = globalThis.fetch;
globalThis.__blocked = [];

globalThis.fetch = async (input, init) => {
  const isRequest = typeof input === "object" && "url" in input;
  const url = new URL(isRequest ? input.url : String(input));
  if (url.hostname === "codebuff.com" || url.hostname.endsWith(".codebuff.com")) {
    const target = new URL(url.pathname + url.search, backend);
    return realFetch(isRequest ? new Request(target, input) : target, init);
  }
  if (url.hostname === "127.0.0.1") return realFetch(input, init);
  globalThis.__blocked.push(url.host + url.pathname);
  throw new TypeError("blocked host " + url.host);
};
