import type { Item } from "@muster/schema";
import { Icon, Markdown, SafeText } from "@muster/web-parts";
import { type ItemView, partOf } from "../model/item-view.ts";
import { AttachedFile } from "./attached.tsx";
import { Parts, PartView } from "./parts.tsx";
import { ToolCall } from "./tool-call.tsx";

/** One item, by its kind. */
export function ItemRow({ view }: { view: ItemView }) {
  const { item } = view;
  switch (item.kind) {
    case "message":
      return item.role === "user" ? <UserMessage item={item} /> : <Message item={item} />;
    case "reasoning":
      return <Reasoning item={item} />;
    case "tool_call":
      return <ToolCall view={view} />;
    case "tool_result":
      return <Parts item={item} />;
    case "plan":
      return (
        <section class="plan-item" aria-label="Plan">
          <Parts item={item} />
        </section>
      );
    case "status":
      return <Status item={item} />;
  }
}

function UserMessage({ item }: { item: Item }) {
  return (
    <div class="user">
      <Icon name="person" />
      <div class="said">
        {item.content.map((part) =>
          part.type === "text" ? (
            <p class="plain">
              <SafeText text={part.text} />
            </p>
          ) : part.type === "file" ? (
            <AttachedFile path={part.path} />
          ) : (
            <PartView part={part} />
          ),
        )}
      </div>
    </div>
  );
}

function Message({ item }: { item: Item }) {
  const isGone = item.status === "cancelled" || item.supersededBy !== undefined;
  return (
    <div class={`message ${item.phase ?? ""} ${isGone ? "gone" : ""}`}>
      {isGone && <span class="tag">{item.supersededBy ? "replaced by another attempt" : "cut short"}</span>}
      <Parts item={item} />
    </div>
  );
}

function Reasoning({ item }: { item: Item }) {
  const text = item.content.map((part) => ("text" in part ? part.text : "")).join("\n\n");
  const isHidden = partOf(item, "reasoning")?.visibility === "private" && text === "";
  const isThinking = item.status === "in_progress";
  if (isHidden) return <p class="note">Thought, and keeps it to itself</p>;
  return (
    <details class="reasoning">
      <summary>
        <Icon name="think" />
        {isThinking ? <span class="dots">Thinking</span> : "Thought"}
        <span class="preview">
          <SafeText text={lastWords(text)} />
        </span>
      </summary>
      <Markdown text={text} />
    </details>
  );
}

function lastWords(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return line.length > 160 ? `…${line.slice(-160)}` : line;
}

function Status({ item }: { item: Item }) {
  const status = partOf(item, "status");
  return (
    <p class={`note ${item.status}`}>
      <strong>
        <SafeText text={status?.label ?? "Status"} />
      </strong>{" "}
      {status?.detail && <SafeText text={status.detail} />}
    </p>
  );
}
