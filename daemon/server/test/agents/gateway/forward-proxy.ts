import { request as ask, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** An HTTP proxy that passes everything on and remembers whom it was asked for. */
export async function startProxy(): Promise<{ url: string; hosts: Set<string> }> {
  const hosts = new Set<string>();
  const server = createServer((incoming, answer) => {
    const url = new URL(incoming.url ?? "", "http://none");
    hosts.add(url.host);
    const { method, headers } = incoming;
    const passed = ask(url, { method, headers }, (head) => {
      answer.writeHead(head.statusCode ?? 502, head.headers);
      head.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.on("connect", (incoming, socket) => {
    const [host = "", port = "443"] = (incoming.url ?? "").split(":");
    hosts.add(`${host}:${port}`);
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) {
      end.on("error", () => {
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hosts };
}
