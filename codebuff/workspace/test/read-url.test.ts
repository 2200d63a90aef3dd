import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type GuardOptions, isPublicAddress, readUrl } from "../src/index.ts";
import { projectFixture } from "./project-fixture.ts";

/** A web server on this machine; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const read = (url: string, options: GuardOptions = { allowLoopback: true }, max_tokens = 10_000) =>
  readUrl({ url, max_tokens }, options, new AbortController().signal);

test("a page becomes text with its title, links and code", async () => {
  const html = `<html><head><title>A &amp; B</title><style>p{}</style></head><body><h1>Top</h1><script>alert(1)</script>
    <p>One <b>two</b>&nbsp;&#8212; <a href="https://example.com/x">more</a></p><ul><li>first</li><li>second</li></ul>
    <pre>line 1\n  line 2</pre></body></html>`;
  const url = await serve((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(html));
  });
  expect(await read(`${url}/page`)).toEqual({
    url: `${url}/page`,
    title: "A & B",
    contentType: "text/html; charset=utf-8",
    content: "# Top\n\nOne two — more (https://example.com/x)\n\n- first\n\n- second\n\nline 1\n  line 2",
    truncated: false,
  });
});

test.each([
  "http://127.0.0.1:1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[64:ff9b::7f00:1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://10.1.2.3/",
  "http://172.31.0.1/",
  "http://192.168.0.1/",
  "http://100.64.0.1/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://user:pass@93.184.216.34/",
])("%s is refused", async (url) => {
  expect(await read(url, {})).toMatchObject({ errorMessage: expect.stringMatching(/not read/) });
});

test.each(["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fd00::1"])(
  "a name that answers with %s, alone or beside a public address, is refused",
  async (address) => {
    const family = address.includes(":") ? 6 : 4;
    for (const others of [[], [{ address: "93.184.216.34", family: 4 }]]) {
      const resolve = async () => [...others, { address, family }];
      expect(await read("http://innocent.example/", { resolve })).toEqual({
        errorMessage: expect.stringContaining("not in the public internet"),
      });
    }
  },
);

test("a redirect is followed, and one into a private network is refused without a request", async () => {
  const url = await serve((request, response) => {
    const target = { "/a": "/b", "/metadata": "http://169.254.169.254/", "/loop": "/loop" }[request.url ?? ""];
    if (target === undefined) return void response.setHeader("content-type", "text/plain").end("arrived");
    response.writeHead(302, { location: target }).end();
  });
  expect(await read(`${url}/a`)).toMatchObject({ url: `${url}/b`, content: "arrived" });
  expect(await read(`${url}/metadata`)).toMatchObject({ errorMessage: expect.stringContaining("169.254.169.254") });
  expect(await read(`${url}/loop`)).toMatchObject({ errorMessage: expect.stringContaining("redirects") });
});

test("the address that was checked is the one that is connected to", async () => {
  const url = await serve((_request, response) => void response.end("here"));
  const answers = ["127.0.0.1", "169.254.169.254"];
  const resolve = async () => [{ address: answers.shift() ?? "", family: 4 }];
  const named = url.replace("127.0.0.1", "name.example");
  expect(await read(named, { allowLoopback: true, resolve })).toMatchObject({ content: "here" });
  expect(answers).toHaveLength(1);
});

test("what is no text, too long or broken is told", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/image") return void response.setHeader("content-type", "image/png").end("x");
    if (request.url === "/long") return void response.setHeader("content-type", "text/plain").end("word ".repeat(9000));
    if (request.url === "/bomb") {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      return void response.end(gzipSync(Buffer.alloc(20 * 1024 * 1024, 97)));
    }
    if (request.url === "/cut") {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
      response.write("half");
      return void response.destroy();
    }
    response.writeHead(404).end();
  });
  expect(await read(`${url}/image`)).toMatchObject({ errorMessage: expect.stringContaining("image/png") });
  expect(await read(`${url}/missing`)).toMatchObject({ errorMessage: expect.stringContaining("404") });
  expect(await read(`${url}/long`, { allowLoopback: true }, 100)).toMatchObject({ truncated: true });
  expect(await read(`${url}/bomb`)).toMatchObject({ truncated: true });
  expect(await read(`${url}/cut`)).toHaveProperty("errorMessage");
});

test("it is a tool like the others, ends with the abort, and reads this machine only where that is allowed", async () => {
  let onRequest: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const url = await serve(() => onRequest());
  const { hands, value } = await projectFixture({}, { web: { allowLoopback: true } });
  const abort = new AbortController();
  const call = { toolName: "read_url", toolCallId: "1", input: { url } };
  const running = hands.call([call], { signal: abort.signal });
  await requested;
  abort.abort();
  expect(JSON.stringify(await running)).toContain("Interrupted");
  const closed = await projectFixture();
  expect(await closed.value("read_url", { url })).toHaveProperty("errorMessage");
  expect(await value("read_url", { url: "http://10.0.0.1/" })).toHaveProperty("errorMessage");
});

test("public addresses are public", () => {
  expect(["93.184.216.34", "8.8.8.8", "2606:4700::1111"].map((one) => isPublicAddress(one))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isPublicAddress("example.com")).toBe(false);
});
