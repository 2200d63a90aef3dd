import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface RecordedRequest {
  method: string;
  url: string;
  authorization: string | undefined;
  body: string;
}

/** A real server that notes every request and gives all of them the same answer. */
export async function startRecordingServer(answer: (response: ServerResponse) => void) {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, authorization: headers.authorization, body: await text(request) });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answerJson(status: number, value: unknown) {
  return (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
