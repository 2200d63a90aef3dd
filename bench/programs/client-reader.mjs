/**
 * A program that uses the TypeScript client, or a bare fetch. Told by one message `{ how, client, endpoint, sessionId,
 * message, last, streams? }`; says `{ value }`: microseconds of CPU per event, or kB of memory per open stream.
 */
import { setTimeout as pause } from "node:timers/promises";

process.once("message", (order) => {
  measures[order.how](order).then(
    (value) => process.send({ value }),
    (error) => process.send({ failure: String(error?.stack ?? error) }),
  );
});
process.once("disconnect", () => process.exit(0));

const measures = {
  async prompt({ client, endpoint, sessionId, message, last }) {
    const { SandboxDaemon } = await import(client);
    const session = SandboxDaemon.connect({ endpoint }).session(sessionId);
    // Sent again it is the same message: its turn is told from the beginning.
    const turn = session.prompt(message, { messageId: "bench" });
    await turn.sent;
    return await perEvent(async () => {
      let events = 0;
      for await (const { sequence } of turn) {
        events++;
        if (sequence === last) break;
      }
      return events;
    });
  },

  async bare({ endpoint, sessionId, last }) {
    return await perEvent(async () => {
      const response = await fetch(`${endpoint}/sessions/${sessionId}/events/sse`);
      const decoder = new TextDecoder();
      let rest = "";
      let events = 0;
      for await (const chunk of response.body) {
        const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = frames.pop();
        for (const frame of frames) {
          events++;
          if (JSON.parse(frame.slice(frame.indexOf("data: ") + 6)).sequence === last) return events;
        }
      }
      return events;
    });
  },

  async streams({ client, endpoint, sessionId, last, streams }) {
    const { SandboxDaemon } = await import(client);
    const session = SandboxDaemon.connect({ endpoint }).session(sessionId);
    return await perStream(streams, async () => {
      const reading = session.events({ after: last - 1 })[Symbol.asyncIterator]();
      await reading.next();
      void reading.next();
    });
  },

  async bareStreams({ endpoint, sessionId, last, streams }) {
    return await perStream(streams, async () => {
      const response = await fetch(`${endpoint}/sessions/${sessionId}/events/sse?offset=${last - 1}`);
      const reader = response.body.getReader();
      await reader.read();
      void reader.read();
    });
  },
};

async function perEvent(read) {
  const before = process.cpuUsage();
  const events = await read();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events;
}

/** After one that is left out: it loads what all share. */
async function perStream(streams, open) {
  await open();
  await pause(500);
  const before = process.memoryUsage.rss();
  for (let opened = 0; opened < streams; opened += 50) await Promise.all(Array.from({ length: 50 }, open));
  await pause(1_000);
  return (process.memoryUsage.rss() - before) / 1024 / streams;
}
