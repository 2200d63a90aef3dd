/** The least that a proxy on this runtime does: pipes both ways, adds a key. `plain-proxy.mjs <address of the provider>`. */
import { Agent, createServer, request } from "node:http";

const provider = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 });

const server = createServer((incoming, response) => {
  const headers = { ...incoming.headers, host: provider.host, "x-api-key": "sk-real" };
  const call = request(new URL(incoming.url, provider), { method: incoming.method, agent, headers }, (source) => {
    response.writeHead(source.statusCode, source.headers);
    source.pipe(response);
  });
  call.on("error", () => response.destroy());
  response.on("close", () => call.destroy());
  incoming.pipe(call);
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`proxy listens on http://127.0.0.1:${server.address().port}\n`),
);
process.once("SIGTERM", () => process.exit(0));
