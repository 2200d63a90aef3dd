/** Bytes on a connection that two readers could take in two ways, and the statuses that are a right answer: one, not two. */
export interface WireRequest {
  readonly title: string;
  readonly bytes: string;
  readonly right: readonly number[];
}

const json = "content-type: application/json";
const refused = [400];

/** Requests of which a part hides another; `hidden` makes a session if anybody reads it. */
export function wireRequests(token: string): WireRequest[] {
  const auth = `host: localhost\r\nauthorization: Bearer ${token}`;
  const hidden = `POST /sessions/smuggled HTTP/1.1\r\n${auth}\r\n${json}\r\ncontent-length: 16\r\n\r\n{"agent":"mock"}`;
  const post = (headers: string, body: string) =>
    `POST /tickets HTTP/1.1\r\n${auth}\r\n${json}\r\nconnection: close\r\n${headers}\r\n\r\n${body}`;
  const both: WireRequest[] = [
    ...["chunked", "Chunked", " chunked", "chunked ", "\tchunked", "identity, chunked", "x, chunked", "chunked;q=1"],
    ...["chunked, identity", "chunked, chunked", "xchunked", "chunked\u000b", "gzip", "identity", "", '"chunked"'],
  ].map((coding) => ({
    title: `a length and the coding ${JSON.stringify(coding)}`,
    bytes: post(`content-length: 2\r\ntransfer-encoding: ${coding}`, `{}${hidden}`),
    right: refused,
  }));
  const codings: WireRequest[] = [
    ...["chunked, identity", "xchunked", "identity", "gzip", "chunked;q=1", "chunked, chunked", "chunke", "0"],
    ...["chunked\u000b", "\u000bchunked", '"chunked"', "deflate, gzip"],
  ].map((coding) => ({
    title: `the coding ${JSON.stringify(coding)}`,
    bytes: post(`transfer-encoding: ${coding}`, `0\r\n\r\n${hidden}`),
    right: refused,
  }));
  const lengths: WireRequest[] = [
    ...[
      "+2",
      "-0",
      "0x2",
      "2 ",
      "2,2",
      "2, 2",
      "2;",
      "2.0",
      "2e0",
      "٢",
      "99999999999999999999",
      "",
      "two",
      "2 2",
      "1_0",
    ],
    ...["\t+2", "2\u0000", "0b10", "²", "18446744073709551618"],
  ].map((length) => ({
    title: `the length ${JSON.stringify(length)}`,
    bytes: post(`content-length: ${length}`, `{}${hidden}`),
    right: [400, 413],
  }));
  const chunks: WireRequest[] = [
    ...[
      "-1\r\n{}\r\n0\r\n\r\n",
      "0x2\r\n{}\r\n0\r\n\r\n",
      "2 2\r\n{}\r\n0\r\n\r\n",
      "g\r\n{}\r\n0\r\n\r\n",
      "\r\n0\r\n\r\n",
    ],
    ...[
      "2\n{}\n0\n\n",
      "2\r\n{}0\r\n\r\n",
      "3\r\n{}\r\n0\r\n\r\n",
      "1\r\n{}\r\n0\r\n\r\n",
      "fffffffffffffffff\r\n{}\r\n",
    ],
    ...["2;\u0000\r\n{}\r\n0\r\n\r\n", "+2\r\n{}\r\n0\r\n\r\n", "2\r{}\r\n0\r\n\r\n", "٢\r\n{}\r\n0\r\n\r\n"],
    ...[`2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, `2\r\n{}\r\n0\r\n${"t: x\r\n".repeat(5_000)}\r\n`],
  ].map((body) => ({
    title: `the chunks ${JSON.stringify(body.slice(0, 30))}`,
    bytes: post("transfer-encoding: chunked", body + hidden),
    right: [400, 413, 431],
  }));
  const heads: WireRequest[] = [
    ...[
      "x: a\r\n b",
      "x\t: 1",
      "\u0000: 1",
      "x: \u007f",
      "x: a\rb",
      ": empty",
      "(): 1",
      "x y: 1",
      "x: a\nauthorization : b",
    ],
    ...["é: 1", "content-length : 2", "transfer-encoding : chunked", "x\u0000y: 1", "\u00a0x: 1", " x: 1", "{}: 1"],
  ].map((line) => ({
    title: `the line ${JSON.stringify(line)}`,
    bytes: `GET /sessions HTTP/1.1\r\n${line}\r\n${auth}\r\nconnection: close\r\n\r\n`,
    right: [...refused],
  }));
  const lines: WireRequest[] = [
    ...["GET\t/sessions HTTP/1.1", "GET /sessions", "GET /sessions HTTP/1.1 x", "GET /sessions http/1.1"],
    ...[
      "GET /sessions HTTP/0.9",
      "GET /sessions HTTP/1.",
      "GET /sessions HTTP/11",
      "GET /sess\u0000ions HTTP/1.1",
      " GET /sessions HTTP/1.1",
    ],
    ...[
      "GET \\sessions HTTP/1.1",
      "GET ?x HTTP/1.1",
      "GET * HTTP/1.1",
      "GET sessions HTTP/1.1",
      "GET javascript:1 HTTP/1.1",
    ],
    ...["GET http:///sessions HTTP/1.1", "GET http:/sessions HTTP/1.1", "GET //[::1 HTTP/1.1"],
    ...["GET /sessions\u0001 HTTP/1.1", "GE\u0000T /sessions HTTP/1.1", "G@T /sessions HTTP/1.1", "OPTIONS * HTTP/1.1"],
    ...[
      "PRI * HTTP/2.0",
      "SSH-2.0-OpenSSH_9",
      "\u0016\u0003\u0001\u0002",
      "TRACE /sessions HTTP/1.1",
      "PUT /sessions/own HTTP/1.1",
    ],
    ...["LOCK /sessions/own HTTP/1.1", "M-SEARCH * HTTP/1.1", "SOURCE / HTTP/1.1", "QUERY /sessions HTTP/1.1"],
  ].map((line) => ({
    title: `the request ${JSON.stringify(line)}`,
    bytes: `${line}\r\n${auth}\r\nconnection: close\r\n\r\n`,
    right: [400, 404, 405, 505],
  }));
  const hosts: WireRequest[] = [
    ...[
      "localhost.",
      "LOCALHOST:",
      "localhost:+1",
      "localhost:-1",
      "localhost:1e3",
      "127.1",
      "0x7f.1",
      "2130706433",
      "0",
    ],
    ...["127.0.0.1%00", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "localhost, evil.example", "evil.example#localhost"],
    ...[
      "localhost\\@evil.example",
      "localhost/",
      "localhost?",
      "ⅼocalhost",
      "localhost:80:80",
      "://localhost",
      "[::1]x",
    ],
  ].map((host) => ({
    title: `the host ${host}`,
    bytes: `GET /agents/mock HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
    right: host === "LOCALHOST:" ? [200] : [400, 403],
  }));
  const origins: WireRequest[] = [
    ...[
      "http://localhost.",
      "http://localhost@evil.example",
      "http://localhost:80",
      "HTTP://localhost",
      "http://LOCALHOST",
    ],
    ...[
      "http://localhost/",
      "http://localhost http://evil.example",
      "localhost",
      "http:localhost",
      "undefined",
      "http://",
    ],
    ...[
      "https://localhost",
      "chrome-extension://x",
      "http://localhost%00",
      "http://[::1]",
      "ws://localhost",
      "http://localhost,x",
    ],
  ].map((origin) => ({
    title: `the origin ${origin}`,
    bytes: `GET /sessions HTTP/1.1\r\n${auth}\r\norigin: ${origin}\r\nconnection: close\r\n\r\n`,
    right: [403],
  }));
  return [...both, ...codings, ...lengths, ...chunks, ...heads, ...lines, ...hosts, ...origins];
}
