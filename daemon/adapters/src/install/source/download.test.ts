import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { etag, startFileServer } from "../../../test/file-server.ts";
import { makeDirectory } from "../../../test/host.ts";
import type { Network } from "../../network/http.ts";
import { type Download, download } from "./download.ts";

const direct: Network = { proxyFor: () => undefined };
const content = randomBytes(300_000);

function requestFor(url: string, options: Partial<Download> = {}): Download {
  return { url, path: join(makeDirectory(), "file"), mostBytes: 1_000_000, progress: () => {}, ...options };
}

/** Sends the first part and breaks the connection. */
function breakAfter(bytes: number, tag = etag) {
  return (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { "content-length": content.length, etag: tag });
    response.write(content.subarray(0, bytes), () => response.destroy());
  };
}

it("a broken connection is taken up where it broke", async () => {
  const { url, files, server } = await startFileServer({ "/file": breakAfter(100_000) });
  const ranges: (string | undefined)[] = [];
  server.on("request", ({ headers }) => {
    ranges.push(headers.range);
    files.set("/file", content);
  });
  const received: number[] = [];
  const request = requestFor(`${url}/file`, { progress: (bytes) => received.push(bytes) });
  await download(direct, request);
  expect(await readFile(request.path)).toEqual(content);
  expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  expect(received).toEqual([...received].sort((left, right) => left - right));
});

it("what an earlier process left is gone on with, unless the file has changed since", async () => {
  const stopping = new AbortController();
  const { url, files, server } = await startFileServer({
    "/file": (_, response) => {
      response.writeHead(200, { "content-length": content.length, etag });
      response.write(content.subarray(0, 100_000));
    },
  });
  const request = requestFor(`${url}/file`);
  const stopped = {
    ...request,
    signal: stopping.signal,
    progress: (bytes: number) => bytes >= 100_000 && stopping.abort(),
  };
  await expect(download(direct, stopped)).rejects.toThrow("abort");
  const { size } = await stat(request.path);
  const ranges: (string | undefined)[] = [];
  server.on("request", ({ headers }) => void ranges.push(headers.range));

  const other = randomBytes(200_000);
  files.set("/file", (_, response) => void response.writeHead(200, { etag: '"another"' }).end(other));
  await download(direct, request);
  expect(ranges).toEqual([`bytes=${size}-`]);
  expect(await readFile(request.path)).toEqual(other);
});

it.each([
  [false, [undefined, undefined]],
  [true, [undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]],
])(
  "a server that names no file is asked for the rest only if the whole will be checked: %s",
  async (isVouchedFor, expected) => {
    const ranges: (string | undefined)[] = [];
    const { url, files } = await startFileServer({
      "/file": ({ headers }, response) => {
        ranges.push(headers.range);
        files.set("/file", (request, rest) => {
          ranges.push(request.headers.range);
          const start = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
          const range = { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` };
          rest.writeHead(start > 0 ? 206 : 200, start > 0 ? range : {}).end(content.subarray(start));
        });
        breakAfter(100_000, 'W/"weak"')(undefined, response);
      },
    });
    const request = requestFor(`${url}/file`, { isVouchedFor });
    await download(direct, request);
    expect(ranges).toEqual(expected);
    expect(await readFile(request.path)).toEqual(content);
  },
);

it("a file that is too large is refused, whether the server says so or not", async () => {
  const { url, asked } = await startFileServer({
    "/honest": content,
    "/endless": (_, response) => {
      const more = () => void (response.destroyed || response.write(content, more));
      more();
    },
  });
  const limit = { mostBytes: 299_999 };
  await expect(download(direct, requestFor(`${url}/honest`, limit))).rejects.toThrow("larger than 299999 bytes");
  await expect(download(direct, requestFor(`${url}/endless`, limit))).rejects.toThrow("larger than 299999 bytes");
  expect(asked).toEqual(["/honest", "/endless"]);
});

it("a server that says no is asked once, one that is ill several times", async () => {
  const { url, asked } = await startFileServer({ "/ill": (_, response) => void response.writeHead(503).end() });
  await expect(download(direct, requestFor(`${url}/none`))).rejects.toMatchObject({ status: 404 });
  expect(asked).toEqual(["/none"]);
  await expect(download(direct, requestFor(`${url}/ill`))).rejects.toMatchObject({ status: 503 });
  expect(asked).toHaveLength(6);
});
