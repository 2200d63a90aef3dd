import type { Nodes, RootContent, Table } from "mdast";
import type { ComponentChildren } from "preact";
import { safeLink } from "../model/safe-text.ts";
import { Code } from "../views/code.tsx";
import { SafeText } from "../views/safe-text.tsx";
import { ScrollRegion } from "../views/scroll-region.tsx";
import { parseMarkdown } from "./parse.ts";

/** More than this is not read as Markdown: nobody wrote it for people. */
const longest = 200_000;

/** Markdown of somebody else. Every node becomes an element we chose; markup in it stays text. */
export function Markdown({ text }: { text: string }) {
  if (text.length > longest) return <pre class="plain">{<SafeText text={`${text.slice(0, longest)}\n…`} />}</pre>;
  return <div class="markdown">{parseMarkdown(text).map((root) => childrenOf(root))}</div>;
}

function childrenOf(node: Nodes): ComponentChildren[] {
  return "children" in node ? (node.children as RootContent[]).map((child) => drawNode(child)) : [];
}

function drawNode(node: RootContent): ComponentChildren {
  switch (node.type) {
    case "text":
      return <SafeText text={node.value} />;
    case "paragraph":
      return <p>{childrenOf(node)}</p>;
    case "heading": {
      // The page has its own first headings; those of a message stand below them.
      const Tag = `h${Math.min(6, node.depth + 2)}` as "h3";
      return <Tag>{childrenOf(node)}</Tag>;
    }
    case "emphasis":
      return <em>{childrenOf(node)}</em>;
    case "strong":
      return <strong>{childrenOf(node)}</strong>;
    case "delete":
      return <s>{childrenOf(node)}</s>;
    case "inlineCode":
      return (
        <code>
          <SafeText text={node.value} code />
        </code>
      );
    case "code":
      return <Code text={node.value} language={node.lang ?? undefined} />;
    case "blockquote":
      return <blockquote>{childrenOf(node)}</blockquote>;
    case "list":
      return node.ordered ? (
        <ol start={node.start ?? 1}>{childrenOf(node)}</ol>
      ) : (
        <ul class={node.children.some(({ checked }) => checked != null) ? "tasks" : undefined}>{childrenOf(node)}</ul>
      );
    case "listItem":
      return (
        <li>
          {node.checked != null && (
            <span class="task" role="img" aria-label={node.checked ? "done" : "to do"}>
              {node.checked ? "☑" : "☐"}
            </span>
          )}
          {node.children.map((child) =>
            !node.spread && child.type === "paragraph" ? childrenOf(child) : drawNode(child),
          )}
        </li>
      );
    case "thematicBreak":
      return <hr />;
    case "break":
      return <br />;
    case "link":
      return <Link url={node.url}>{childrenOf(node)}</Link>;
    case "image":
      // Asking another machine for it would tell that machine who reads this.
      return <Link url={node.url}>{`🖼 ${node.alt || node.url}`}</Link>;
    case "table":
      return drawTable(node);
    case "html":
      return <SafeText text={node.value} code />;
    default:
      return childrenOf(node);
  }
}

function Link({ url, children }: { url: string; children: ComponentChildren }) {
  const safe = safeLink(url);
  if (safe === undefined) {
    return (
      <span class="no-link">
        {children} <code>{<SafeText text={`(${url.slice(0, 200)})`} code />}</code>
      </span>
    );
  }
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {children}
    </a>
  );
}

function drawTable({ children: [head, ...rows], align }: Table) {
  const side = (column: number) => `to-${align?.[column] ?? "left"}`;
  return (
    <ScrollRegion class="table" label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th scope="col" class={side(column)}>
                {childrenOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.children.map((cell, column) => (
                <td class={side(column)}>{childrenOf(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
