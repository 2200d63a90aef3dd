import type { Message } from "@muster/codebuff-protocol";
import { toolOutputText } from "./export-markdown.ts";
import { isPrompt, type Transcript, userText } from "./transcript.ts";

/** One page that stands alone: no script, no address outside, every text escaped, pictures inside. */
export function exportHtml({ header, title, messages }: Transcript): string {
  const heading = escapeHtml(title || header.id);
  const items = messages.flatMap(({ message, agentId, at }) => {
    const inner = describe(message);
    if (inner === "") return [];
    const time = new Date(at).toISOString();
    return [
      `<article class="${message.role}"><header>${escapeHtml(speaker(message, agentId))} <time>${time}</time></header>${inner}</article>`,
    ];
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<h1>${heading}</h1>
<p>Session <code>${escapeHtml(header.id)}</code> in <code>${escapeHtml(header.cwd)}</code>, ${new Date(header.created).toISOString()}</p>
${items.join("\n")}
</body>
</html>
`;
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}article{margin:.8rem 0;padding:.2rem .8rem;border-left:3px solid #8884}
article.user{border-color:#27c}article header{font-size:.8rem;opacity:.7}.reasoning{opacity:.7}img{max-width:100%}`;

function speaker(message: Message, agentId: string): string {
  if (message.role === "user") return "You";
  return message.role === "tool" ? `${message.toolName} (result)` : agentId;
}

function describe(message: Message): string {
  switch (message.role) {
    case "system":
      return "";
    case "user":
      return isPrompt(message) ? `<pre>${escapeHtml(userText(message))}</pre>${pictures(message)}` : "";
    case "assistant":
      return message.content
        .map((part) => {
          if (part.type === "tool-call") {
            const input = JSON.stringify(part.input, null, 2);
            return `<details><summary>${escapeHtml(part.toolName)}</summary><pre>${escapeHtml(input)}</pre></details>`;
          }
          return `<pre class="${part.type}">${escapeHtml(part.text)}</pre>`;
        })
        .join("");
    case "tool": {
      const text = `<details><summary>Result</summary><pre>${escapeHtml(toolOutputText(message.content))}</pre></details>`;
      return (
        text + message.content.map((part) => (part.type === "media" ? picture(part.data, part.mediaType) : "")).join("")
      );
    }
  }
}

function pictures(message: Message & { role: "user" }): string {
  return message.content.map((part) => (part.type === "image" ? picture(part.image, part.mediaType) : "")).join("");
}

function picture(data: string, mediaType: string): string {
  if (!/^image\/[\w.+-]+$/.test(mediaType) || !/^[\w+/=]*$/.test(data)) return "";
  return `<img alt="" src="data:${mediaType};base64,${data}">`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
