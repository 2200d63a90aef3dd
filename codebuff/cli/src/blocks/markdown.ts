import { lexer, type Token, type Tokens } from "marked";
import { wrapTextWithAnsi } from "../pi-tui.ts";
import { type BlockContext, proseWidth } from "./block-context.ts";
import { highlight } from "./highlight.ts";
import { tableLines } from "./table.ts";

/** A whole text as lines: prose is wrapped, a line of code stays one line however long it is. */
export function markdownLines(text: string, context: BlockContext): string[] {
  return joinBlocks(contentBlocks(lexer(withoutPlanTags(text))).map((block) => blockLines(block, context)));
}

/** The element in which PLAN mode writes its plan is for the program. A text that grows stays a beginning of itself. */
export function withoutPlanTags(text: string): string {
  return text.replaceAll(/<\/?PLAN>/g, "\n");
}

function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

export function blockLines(block: Token, context: BlockContext): string[] {
  const { theme } = context;
  const width = Math.min(context.width, proseWidth);
  switch (block.type) {
    case "heading":
      return wrapTextWithAnsi(theme.heading(`${"#".repeat(block.depth)} ${inline(block.tokens, context)}`), width);
    case "code":
      return codeLines(block as Tokens.Code, context);
    case "table":
      return tableLines(block as Tokens.Table, (tokens) => inline(tokens, context), context);
    case "list":
      return listLines(block as Tokens.List, context);
    case "blockquote": {
      const inner = { ...context, width: width - 2 };
      return joinBlocks(contentBlocks(block.tokens).map((one) => blockLines(one, inner))).map(
        (line) => `${theme.dim("│")} ${line}`,
      );
    }
    case "hr":
      return [theme.dim("───")];
    case "html":
      return (block as Tokens.HTML).text.trimEnd().split("\n");
    default:
      return wrapTextWithAnsi(inline("tokens" in block ? block.tokens : [block], context), width);
  }
}

/** Fences are shown, so that what is copied is the code and nothing that was added to it. */
function codeLines({ text, lang = "" }: Tokens.Code, { theme }: BlockContext): string[] {
  const [language = ""] = lang.split(/\s/);
  const body = text === "" ? [] : highlight(text, language, theme);
  return [theme.dim(`\`\`\`${language}`), ...body, theme.dim("```")];
}

function listLines({ items, ordered, start, loose }: Tokens.List, context: BlockContext): string[] {
  const lists = items.map((item, at) => {
    const mark = ordered ? `${Number(start || 1) + at}.` : "•";
    const box = item.task ? (item.checked === true ? "☒ " : "☐ ") : "";
    const indent = " ".repeat(mark.length + 1);
    const inner = { ...context, width: Math.min(context.width, proseWidth) - indent.length };
    const blocks = contentBlocks(item.tokens).map((block) => blockLines(block, inner));
    const lines = loose ? joinBlocks(blocks) : blocks.flat();
    const marked = lines.length === 0 ? [""] : lines;
    return marked.map((line, row) => (row === 0 ? `${context.theme.accent(mark)} ${box}${line}` : `${indent}${line}`));
  });
  return loose ? joinBlocks(lists) : lists.flat();
}

function contentBlocks(tokens: readonly Token[] | undefined): Token[] {
  return (tokens ?? []).filter(({ type }) => !["space", "def", "checkbox"].includes(type));
}

function inline(tokens: readonly Token[] | undefined, context: BlockContext): string {
  return (tokens ?? []).map((token) => inlineText(token, context)).join("");
}

function inlineText(token: Token, context: BlockContext): string {
  const { theme } = context;
  switch (token.type) {
    case "strong":
      return theme.strong(inline(token.tokens, context));
    case "em":
      return theme.emphasis(inline(token.tokens, context));
    case "del":
      return theme.struck(inline(token.tokens, context));
    case "codespan":
      return theme.code(token.text);
    case "br":
      return "\n";
    case "link": {
      const shown = inline(token.tokens, context);
      const link = context.links?.web(token.href, theme.link(shown)) ?? theme.link(shown);
      return shown === token.href ? link : `${link} ${theme.dim(`(${token.href})`)}`;
    }
    case "image":
      return theme.dim(`[image ${token.text || token.href}]`);
    case "escape":
      return token.text;
    default:
      return "tokens" in token && token.tokens !== undefined ? inline(token.tokens, context) : decode(token.raw);
  }
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "");
}
