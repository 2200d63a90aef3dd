import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proxyFor } from "./proxies.ts";
import { callUpstream, readAnswer, Unreached } from "./upstream.ts";

const all = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://s:2" };

it.each([
  ["http://model.example/v1", all, "http://p:1/"],
  ["https://model.example/v1", all, "http://s:2/"],
  ["https://model.example", { https_proxy: "s:2" }, "http://s:2/"],
  ["https://model.example", { ALL_PROXY: "https://a:3" }, "https://a:3/"],
  ["https://model.example", { HTTPS_PROXY: "" }, undefined],
  ["https://model.example", {}, undefined],
  ["https://model.example", { ...all, NO_PROXY: "other, model.example" }, undefined],
  ["https://api.model.example", { ...all, NO_PROXY: ".model.example" }, undefined],
  ["https://api.model.example", { ...all, NO_PROXY: "model.example:444" }, "http://s:2/"],
  ["https://model.example", { ...all, no_proxy: "*" }, undefined],
  ["https://notmodel.example", { ...all, NO_PROXY: "model.example" }, "http://s:2/"],
  ["http://127.0.0.1:9", all, undefined],
  ["http://127.9.9.9", all, undefined],
  ["http://localhost:9", all, undefined],
  ["http://[::1]:9", all, undefined],
])("%s with %j goes through %s", (url, env, proxy) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(proxy);
});

it("a proxy of another kind is an error that does not tell its password", () => {
  const env = { ALL_PROXY: "socks5://me:pass@host" };
  expect(() => proxyFor(new URL("http://a.example"), env)).toThrow(/^The proxy of a.example cannot be used(?!.*pass)/);
});

let folder: string;
let pem: { key: string; cert: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tunnel-"));
  const files = ["-keyout", join(folder, "key"), "-out", join(folder, "cert")];
  const about = ["-subj", "/CN=model.test", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync("openssl", ["req", "-x509", "-nodes", ...about, ...files], { stdio: "ignore" });
  pem = { key: await readFile(join(folder, "key"), "utf8"), cert: await readFile(join(folder, "cert"), "utf8") };
});
afterAll(() => rm(folder, { recursive: true }));

it("a secure provider is asked through one tunnel that is used again, and the proxy sees none of it", async () => {
  const provider = createSecureServer(pem, (request, response) =>
    request.resume().on("end", () => response.end(request.url)),
  );
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  const tunnels: string[] = [];
  const proxy = createServer().listen(0, "127.0.0.1");
  proxy.on("connect", (request, socket) => {
    tunnels.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
    const onward = connect((provider.address() as AddressInfo).port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await once(proxy, "listening");
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Only for the certificate of this test, which nobody else trusts.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    const address = new URL(`http://me:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const ask = async (path: string) => {
      const url = new URL(`https://model.test${path}`);
      return String(
        await readAnswer(await callUpstream({ url, headers: {}, body: Buffer.from("{}"), proxy: address }).response),
      );
    };
    expect([await ask("/one"), await ask("/two")]).toEqual(["/one", "/two"]);
    expect(tunnels).toEqual([`model.test:443 Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    provider.closeAllConnections();
    provider.close();
    proxy.closeAllConnections();
    proxy.close();
  }
});

it("a provider that was never reached is told from one that broke off", async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = () => callUpstream({ url, headers: {}, body: Buffer.from("{}") }).response;
  await expect(ask()).rejects.not.toBeInstanceOf(Unreached);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(ask()).rejects.toBeInstanceOf(Unreached);
});

it("a connection that does not come about in time is given up as not reached", async () => {
  // A proxy that takes the connection and says nothing.
  const proxy = createServer().listen(0, "127.0.0.1");
  proxy.on("connect", () => {});
  await once(proxy, "listening");
  const address = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const asked = {
    url: new URL("https://model.test"),
    headers: {},
    body: Buffer.alloc(0),
    proxy: address,
    connectMs: 30,
  };
  await expect(callUpstream(asked).response).rejects.toBeInstanceOf(Unreached);
  proxy.closeAllConnections();
  proxy.close();
});
