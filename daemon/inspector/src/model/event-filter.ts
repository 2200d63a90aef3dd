import type { UniversalEvent } from "@muster/schema";

export interface EventFilter {
  /** Empty: all of them. A name without its second part stands for its whole family: `item`. */
  type: string;
  text: string;
}

export function eventFilter({ type, text }: EventFilter): (event: UniversalEvent) => boolean {
  const wanted = text.trim().toLowerCase();
  return (event) => {
    if (type !== "" && event.type !== type && !event.type.startsWith(`${type}.`)) return false;
    if (wanted === "") return true;
    return String(event.sequence) === wanted || JSON.stringify(event.data).toLowerCase().includes(wanted);
  };
}

/** One line that says what an event is about. */
export function eventSummary(event: UniversalEvent): string {
  switch (event.type) {
    case "item.delta":
      return `${event.data.itemId} ${event.data.part} ${JSON.stringify(event.data.delta)}`;
    case "item.started":
    case "item.completed": {
      const { itemId, kind, role, status, content } = event.data.item;
      const text = content.map((part) => ("text" in part ? part.text : "title" in part ? part.title : "")).join(" ");
      return [itemId, `${role ?? ""} ${kind}`.trim(), status, text].filter(Boolean).join(" · ");
    }
    case "permission.requested":
      return `${event.data.permissionId} · ${event.data.title}`;
    case "question.requested":
      return `${event.data.questionId} · ${event.data.questions[0]?.question ?? ""}`;
    case "error":
      return `${event.data.code} · ${event.data.message}`;
    default:
      return Object.entries(event.data)
        .filter(([, value]) => typeof value !== "object")
        .map(([name, value]) => `${name}=${value}`)
        .join(" ");
  }
}
