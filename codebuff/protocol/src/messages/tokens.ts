import type { Message } from "./history.ts";
import type { ToolOutputPart } from "./tool-output.ts";

/** Rather too many than too few: code and JSON take about three characters a token, prose four. */
export const usualCharactersPerToken = 3;
const tokensPerImage = 1_500;
const tokensPerMessage = 4;

/** An estimate from the number of characters; `charactersPerToken` may come from the usage a provider reported last. */
export function estimateTokens(text: string, charactersPerToken = usualCharactersPerToken): number {
  return Math.ceil(weightOf(text) / charactersPerToken);
}

/** Letters outside ASCII count three times: a Chinese character or half an emoji takes a token of its own. */
function weightOf(text: string): number {
  return text.length + 2 * (text.match(/[\u0080-\uffff]/g)?.length ?? 0);
}

export function messageTokens(message: Message, charactersPerToken = usualCharactersPerToken): number {
  const { characters, images } = sizeOf(message);
  return tokensPerMessage + Math.ceil(characters / charactersPerToken) + images * tokensPerImage;
}

interface Size {
  characters: number;
  images: number;
}

/** Messages are never changed, and a long history is weighed before every step: each is measured once. */
const measured = new WeakMap<Message, Size>();

function sizeOf(message: Message): Size {
  const known = measured.get(message);
  if (known !== undefined) return known;
  const size = measure(message);
  measured.set(message, size);
  return size;
}

function measure(message: Message): Size {
  switch (message.role) {
    case "system":
      return { characters: weightOf(message.content), images: 0 };
    case "tool":
      return sum(message.content.map(sizeOfOutput));
    case "user":
    case "assistant":
      return sum(message.content.map(sizeOfPart));
  }
}

function sizeOfPart(part: Exclude<Message, { role: "system" | "tool" }>["content"][number]): Size {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { characters: weightOf(part.text), images: 0 };
    case "tool-call":
      return { characters: part.toolName.length + weightOf(JSON.stringify(part.input)), images: 0 };
    case "image":
    case "file":
      return { characters: 0, images: 1 };
  }
}

function sizeOfOutput(part: ToolOutputPart): Size {
  if (part.type === "media") return { characters: 0, images: 1 };
  return { characters: weightOf(JSON.stringify(part.value)), images: 0 };
}

function sum(sizes: readonly Size[]): Size {
  const total: Size = { characters: 0, images: 0 };
  for (const { characters, images } of sizes) {
    total.characters += characters;
    total.images += images;
  }
  return total;
}
