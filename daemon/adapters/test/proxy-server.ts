import http, { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** A real forward proxy: tunnels for https, whole addresses for http. `used` lists what went through it. */
export async function startProxy(credentials?: string) {
  const used: string[] = [];
  const isAllowed = (authorization: string | undefined) =>
    credentials === undefined || authorization === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((request, response) => {
    used.push(request.url ?? "");
    if (!isAllowed(request.headers["proxy-authorization"])) return void response.writeHead(407).end();
    const { "proxy-authorization": _, ...headers } = request.headers;
    const onward = http.get(request.url ?? "", { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
  });
  server.on("connect", (request, socket) => {
    used.push(`CONNECT ${request.url}`);
    if (!isAllowed(request.headers["proxy-authorization"])) return void socket.end("HTTP/1.1 407 Authenticate\r\n\r\n");
    const [host = "", port] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, used };
}
