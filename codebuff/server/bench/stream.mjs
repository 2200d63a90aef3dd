/** The client of the bench: plain node:http, so that as little as possible of what is measured is its own. */
import { request } from "node:http";

export function chat(runId) {
  return {
    model: "anthropic/claude-sonnet-4.5",
    stream: true,
    max_tokens: 100,
    messages: [{ role: "user", content: "x".repeat(20_000) }],
    codebuff_metadata: runId === undefined ? undefined : { run_id: runId },
  };
}

/** Resolves to the whole answer and the time until its first word. */
export function stream(url, { agent, key, body }) {
  const bytes = Buffer.from(JSON.stringify(body));
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-length": bytes.length };
    const call = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      let firstMs;
      response.on("data", (chunk) => {
        text += chunk;
        if (firstMs === undefined && text.includes("data:")) firstMs = performance.now() - began;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve({ text, firstMs }) : reject(new Error(`${response.statusCode} ${text}`)),
      );
    });
    call.on("error", (error) => {
      // An idle connection that was closed just as it was used again says nothing about the gateway.
      if (call.reusedSocket && error.code === "ECONNRESET") stream(url, { agent, key, body }).then(resolve, reject);
      else reject(error);
    });
    call.end(bytes);
  });
}

/** Without comments and the usage: what must be the same on both ways. */
export function plainFrames(text) {
  return text
    .split("\n\n")
    .filter((frame) => !frame.startsWith(":") && !frame.includes('"usage":{'))
    .join("\n\n");
}
