import { writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCertificate } from "../../test/certificate.ts";
import { startFileServer } from "../../test/file-server.ts";
import { makeDirectory } from "../../test/host.ts";
import { startProxy } from "../../test/proxy-server.ts";
import { readNpmConfig } from "../install/source/npm-config.ts";
import { getText, networkOf } from "./http.ts";

const networkWith = async (env: NodeJS.ProcessEnv, npmrc = "") => {
  const home = makeDirectory();
  await writeFile(join(home, ".npmrc"), npmrc);
  return networkOf(env, await readNpmConfig({ npm_config_globalconfig: "/nonexistent", ...env }, home));
};

async function startSecureServer() {
  const { key, cert, certFile } = makeCertificate();
  const server = createServer({ key, cert }, (_, response) => response.end("secure"));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/x`, certFile };
}

describe("certificate authorities", () => {
  it("an unknown one is refused", async () => {
    const { url } = await startSecureServer();
    await expect(getText(await networkWith({}), url)).rejects.toThrow(/cannot be reached: self[- ]signed certificate/);
  });

  it.each(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])("%s is trusted", async (variable) => {
    const { url, certFile } = await startSecureServer();
    expect(await getText(await networkWith({ [variable]: certFile }), url)).toBe("secure");
  });

  it("cafile of .npmrc is trusted", async () => {
    const { url, certFile } = await startSecureServer();
    expect(await getText(await networkWith({ CERT: certFile }, `cafile="\${CERT}"\n`), url)).toBe("secure");
  });

  it("a file that is not there is an error, not a silent nothing", async () => {
    await expect(networkWith({ SSL_CERT_FILE: "/nonexistent/ca.pem" })).rejects.toThrow("ENOENT");
  });
});

describe("proxies", () => {
  it("a secure request goes through a tunnel, with the proxy's password", async () => {
    const { url, certFile } = await startSecureServer();
    const { address, used } = await startProxy("me:p@ss");
    const env = { HTTPS_PROXY: `http://me:p%40ss@${address}`, SSL_CERT_FILE: certFile };
    expect(await getText(await networkWith(env), url)).toBe("secure");
    expect(used).toEqual([`CONNECT ${new URL(url).host}`]);
    const wrong = await networkWith({ ...env, HTTPS_PROXY: `http://${address}` });
    await expect(getText(wrong, url)).rejects.toThrow(/refused a tunnel to localhost:\d+: 407/);
  });

  it("a plain request asks the proxy for the whole address", async () => {
    const { url } = await startFileServer({ "/x": "plain" });
    const { address, used } = await startProxy();
    expect(await getText(await networkWith({ http_proxy: address }), `${url}/x`)).toBe("plain");
    expect(used).toEqual([`${url}/x`]);
  });

  it("npm's own settings count, and win", async () => {
    const { url } = await startFileServer({ "/x": "plain" });
    const { address, used } = await startProxy();
    const network = await networkWith({ http_proxy: "127.0.0.1:1" }, `proxy=http://${address}\n`);
    expect(await getText(network, `${url}/x`)).toBe("plain");
    expect(used).toHaveLength(1);
  });

  it.each([
    ["127.0.0.1", true],
    ["*", true],
    ["example.com, 127.0.0.1", true],
    ["127.0.0.1:1", false],
    ["example.com", false],
    ["0.0.1", false],
  ])("NO_PROXY=%s exempts 127.0.0.1: %s", async (list, isExempt) => {
    const { url } = await startFileServer({ "/x": "plain" });
    const { address, used } = await startProxy();
    await getText(await networkWith({ HTTP_PROXY: address, NO_PROXY: list }), `${url}/x`);
    expect(used).toHaveLength(isExempt ? 0 : 1);
  });

  it.each(["example.com", ".example.com", "*.example.com"])(
    "NO_PROXY=%s exempts a domain and what is below it",
    async (list) => {
      const network = await networkWith({ ALL_PROXY: "http://proxy:8080", NO_PROXY: list });
      expect(network.proxyFor(new URL("https://a.example.com"))).toBeUndefined();
      expect(network.proxyFor(new URL("https://example.com"))).toBeUndefined();
      expect(network.proxyFor(new URL("https://badexample.com"))?.host).toBe("proxy:8080");
    },
  );

  it("a proxy of another kind is refused without showing its password", async () => {
    const network = await networkWith({ ALL_PROXY: "socks5://me:secret@proxy:1080" });
    await expect(getText(network, "http://127.0.0.1:1/")).rejects.toThrow(
      /^(?!.*secret).*only addresses of http and https proxies/,
    );
  });
});

describe("redirects", () => {
  it("are followed, without the credentials once the server is another", async () => {
    const seen: (string | undefined)[] = [];
    const target = await startFileServer({
      "/file": (request, response) => {
        seen.push(request.headers.authorization);
        response.end("there");
      },
    });
    const first = await startFileServer({
      "/a": (_, response) => void response.writeHead(302, { location: "/b" }).end(),
      "/b": (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(307, { location: `${target.url}/file` }).end();
      },
    });
    const headers = { authorization: "Bearer secret" };
    expect(await getText(await networkWith({}), `${first.url}/a`, { headers })).toBe("there");
    expect(seen).toEqual(["Bearer secret", undefined]);
  });

  it("in a circle are given up", async () => {
    const { url } = await startFileServer({
      "/a": (_, response) => void response.writeHead(302, { location: "/a" }).end(),
    });
    await expect(getText(await networkWith({}), `${url}/a`)).rejects.toThrow("redirects more than 5 times");
  });
});
