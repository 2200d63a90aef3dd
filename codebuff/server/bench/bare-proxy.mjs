/**
 * The least that any gateway on this runtime does: reads the request, sends it on, passes the answer on. No gates, no ledger,
 * nothing of ours. `bare-proxy.mjs <url of the provider>`.
 */
import { Agent, createServer, request } from "node:http";

const provider = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 });

const server = createServer((incoming, response) => {
  const chunks = [];
  incoming.on("data", (chunk) => chunks.push(chunk));
  incoming.on("end", () => {
    const body = Buffer.concat(chunks);
    const call = request(provider, { method: "POST", agent, headers: { "content-length": body.length } }, (source) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      source.pipe(response);
    });
    call.on("error", () => response.destroy());
    call.end(body);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`bare proxy http://127.0.0.1:${server.address().port}\n`));
process.once("SIGTERM", () => process.exit(0));
