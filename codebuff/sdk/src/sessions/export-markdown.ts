import { type Message, rootAgentName, type ToolOutput } from "@muster/codebuff-protocol";
import { isPrompt, type Transcript, userText } from "./transcript.ts";

export function exportMarkdown({ header, title, messages }: Transcript): string {
  const head = [
    `# ${title || header.id}`,
    `Session \`${header.id}\` in \`${header.cwd}\`, ${new Date(header.created).toISOString()}`,
  ];
  const body = messages.flatMap(({ message, agentId }) => {
    const text = describe(message);
    if (text === undefined) return [];
    return [agentId === rootAgentName ? text : `> *${agentId}*\n>\n${quote(text)}`];
  });
  return `${[...head, ...body].join("\n\n")}\n`;
}

function describe(message: Message): string | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return isPrompt(message) ? `## You\n\n${userText(message)}${pictures(message)}` : undefined;
    case "assistant":
      return message.content
        .map((part) => {
          if (part.type === "text") return part.text;
          if (part.type === "reasoning") return quote(part.text);
          return `**${part.toolName}**\n\n${fenced(JSON.stringify(part.input, null, 2), "json")}`;
        })
        .join("\n\n");
    case "tool":
      return fenced(toolOutputText(message.content), "");
  }
}

/** A tool's result as text; pictures are named, not shown. */
export function toolOutputText(output: ToolOutput): string {
  return output
    .map((part) => {
      if (part.type === "media") return `[${part.mediaType}]`;
      return typeof part.value === "string" ? part.value : JSON.stringify(part.value, null, 2);
    })
    .join("\n");
}

function pictures(message: Message & { role: "user" }): string {
  const names = message.content.flatMap((part) => (part.type === "text" ? [] : [`[${part.mediaType}]`]));
  return names.length === 0 ? "" : `\n\n${names.join(" ")}`;
}

function fenced(text: string, language: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
