import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { onTestFinished } from "vitest";

export type UiChat = Chat<UIMessage>;

/** The chat of `useChat` without its page. Answers are sent as the documentation tells. */
export function chatOn(baseUrl: string, id: string, body: object = {}): UiChat {
  const transport = new DefaultChatTransport({ api: `${baseUrl}/ui`, body });
  const chat = new Chat<UIMessage>({ id, transport, sendAutomaticallyWhen: isAnswered });
  onTestFinished(() => chat.stop());
  return chat;
}

function isAnswered({ messages }: { messages: UIMessage[] }): boolean {
  const states = toolsOf(messages.at(-1)).map(({ state }) => state);
  return states.includes("approval-responded") && !states.includes("approval-requested");
}

/** Answers the first approval that waits, and resolves when the stream that follows has ended. */
export async function answer(chat: UiChat, approved: boolean, reason?: string): Promise<void> {
  const waiting = toolsOf(chat.lastMessage).find(({ state }) => state === "approval-requested");
  const ended = new Promise<void>((resolve) => {
    const off = chat["~registerStatusCallback"](() => {
      if (chat.status !== "ready" && chat.status !== "error") return;
      off();
      resolve();
    });
  });
  await chat.addToolApprovalResponse({ id: waiting?.approval?.id ?? "", approved, reason });
  await ended;
}

export function textOf(message: UIMessage | undefined): string {
  return message?.parts.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
}

export function reasoningOf(message: UIMessage | undefined): string {
  return message?.parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("") ?? "";
}

export function toolsOf(message: UIMessage | undefined) {
  return message?.parts.filter((part) => part.type === "dynamic-tool") ?? [];
}
