import type { Item, Part, UniversalEvent, UniversalMessage } from "@muster/schema";

type Spoken = Exclude<UniversalMessage, { role: "unparsed" }>;

/** Folds a log into what a person or a model wrote, in the order it began. Deltas add nothing: items come whole. */
export async function foldMessages(events: AsyncIterable<UniversalEvent>): Promise<UniversalMessage[]> {
  const messages: UniversalMessage[] = [];
  const open = new Map<string, Spoken>();
  const queued = new Map<string, Spoken>();
  for await (const event of events) {
    const { turnId, time: createdAt } = event;
    switch (event.type) {
      case "message.updated": {
        const { messageId, status, message, attachments = [] } = event.data;
        if (status === "queued") {
          const parts: Part[] = [{ type: "text", text: message ?? "" }, ...attachments.map(attachmentPart)];
          const entry: Spoken = { role: "user", messageId, status: "queued", parts, createdAt };
          messages.push(entry);
          queued.set(messageId, entry);
          break;
        }
        const entry = queued.get(messageId);
        if (entry) Object.assign(entry, { status: final[status], turnId });
        break;
      }
      case "item.started": {
        const { item } = event.data;
        if (item.role === "user") break;
        const entry: Spoken = { ...messageOf(item), turnId, createdAt };
        messages.push(entry);
        open.set(item.itemId, entry);
        break;
      }
      case "item.completed": {
        const entry = open.get(event.data.item.itemId);
        if (entry) Object.assign(entry, messageOf(event.data.item));
        open.delete(event.data.item.itemId);
        break;
      }
      case "agent.unparsed": {
        const { raw, error } = event.data;
        messages.push({ role: "unparsed", messageId: `unparsed_${event.sequence}`, turnId, raw, error, createdAt });
        break;
      }
    }
  }
  return messages;
}

const final = { given: "completed", joined: "completed", cancelled: "cancelled", failed: "failed" } as const;
const roles = {
  message: "assistant",
  reasoning: "assistant",
  tool_call: "assistant",
  tool_result: "tool",
  plan: "assistant",
  status: "system",
} as const;

function messageOf(item: Item): Omit<Spoken, "createdAt"> {
  const role = item.role ?? roles[item.kind];
  return { role, messageId: item.itemId, status: item.status, parts: item.content };
}

function attachmentPart({ path, mime }: { path: string; mime: string }): Part {
  return mime.startsWith("image/") ? { type: "image", mime, path } : { type: "file", path, action: "read" };
}
