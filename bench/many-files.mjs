/** A project of many small files, and a model that refuses whoever asks: to time the way to the first request. */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

const folders = 50;

export async function writeProject(cwd, files) {
  for (let n = 0; n < files; n++) {
    const folder = join(cwd, `src/part-${n % folders}`);
    if (n < folders) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `file-${n}.ts`), `export function work${n}(x: number) { return x + ${n}; }\n`);
  }
}

/** Calls `onRequest` as soon as a request comes. */
export async function startRefusingModel(onRequest) {
  const server = createServer((request, response) => {
    onRequest();
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"enough"}}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}
