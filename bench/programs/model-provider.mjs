/**
 * A provider of models: 40 frames of Messages, four every two milliseconds after the first. A request with `x-hold` gets its
 * first frames and no end, one with `x-pace` words as a model says them, ten times a second, until it is left.
 */
import { createServer } from "node:http";

const frame = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const usage = { input_tokens: 15_000, output_tokens: 1 };
const start = frame({ type: "message_start", message: { id: "msg", model: "claude-sonnet-4-5", usage } });
const word = frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a few words " } });
const end = `${frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 160 } })}${frame({ type: "message_stop" })}`;

const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start + word);
    if (incoming.headers["x-hold"] !== undefined) return;
    if (incoming.headers["x-pace"] !== undefined) {
      const paced = setInterval(() => response.write(word.repeat(2)), 100);
      response.on("close", () => clearInterval(paced));
      return;
    }
    let count = 0;
    const timer = setInterval(() => {
      response.write(word.repeat(4));
      if (++count < 10) return;
      clearInterval(timer);
      response.end(end);
    }, 2);
    response.on("close", () => clearInterval(timer));
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`provider listens on http://127.0.0.1:${server.address().port}\n`),
);
process.once("SIGTERM", () => process.exit(0));
