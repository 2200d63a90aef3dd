/** A provider as a process of its own: 61 words, ten of them every two milliseconds after the first. */
import { createServer } from "node:http";

const frame = (value) => `data: ${JSON.stringify(value)}\n\n`;
const word = frame({ id: "gen", choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
const usage = { prompt_tokens: 10, completion_tokens: 60, cost: 0.0001 };

const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let count = 0;
    const timer = setInterval(() => {
      response.write(word.repeat(10));
      if (++count < 6) return;
      clearInterval(timer);
      response.end(`${frame({ id: "gen", choices: [], usage })}data: [DONE]\n\n`);
    }, 2);
    response.write(word);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`provider http://127.0.0.1:${server.address().port}\n`));
process.once("SIGTERM", () => process.exit(0));
