import { type Item, workMs } from "@muster/schema/wire";
import { Diff, Icon, Output, SafeText } from "@muster/web-parts";
import { duration } from "@muster/web-parts/model";
import { useState } from "preact/hooks";
import { type ItemView, partOf, partsOf } from "../model/item-view.ts";
import { Parts } from "./parts.tsx";

/** A call from its first sign to its result: one line that opens; changes are seen without opening it. */
export function ToolCall({ view }: { view: ItemView }) {
  const { item, result } = view;
  const call = partOf(item, "tool_call");
  const outcome = partOf(result, "tool_result");
  const files = [...partsOf(item, "file"), ...partsOf(result, "file")];
  const isRunning = item.status === "in_progress";
  const [isOpen, setOpen] = useState<boolean>();
  const open = isOpen ?? (isRunning || item.status === "failed");
  const kind = call?.toolKind ?? "other";
  return (
    <section class={`tool-call ${item.status}`} aria-label={`${call?.name ?? "Tool"} ${call?.title ?? ""}`}>
      <button type="button" class="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={kind} />
        <span class="tool-name">{call?.name ?? "tool"}</span>
        <code class="tool-title">
          <SafeText text={call?.title ?? shortInput(call?.input)} code />
        </code>
        <Ending item={item} view={view} exitCode={outcome?.exitCode} />
      </button>
      {open && (
        <div class="tool-body">
          <Input view={view} input={call?.input} title={call?.title} />
          {isRunning && view.output !== "" && <Output text={view.output} label="Output so far" />}
          {!isRunning && outcome !== undefined && outcome.output !== "" && (
            <Output text={outcome.output} label="Output" />
          )}
          {result !== undefined && <Parts item={withoutFiles(result)} />}
        </div>
      )}
      {files.map(({ path, action, diff }) =>
        diff !== undefined ? (
          <Diff diff={diff} label={path} />
        ) : (
          open && (
            <p class="file">
              {action} <code>{path}</code>
            </p>
          )
        ),
      )}
    </section>
  );
}

function Ending({ item, view, exitCode }: { item: Item; view: ItemView; exitCode?: number }) {
  const { endedAt, worked = [] } = view;
  const took = endedAt === undefined || worked.length === 0 ? "" : duration(workMs(worked));
  const words = { in_progress: "running", completed: "", failed: "failed", cancelled: "cancelled" }[item.status];
  const code = exitCode !== undefined && exitCode !== 0 ? `exit ${exitCode}` : "";
  return <span class="ending">{[item.background && "background", words, code, took].filter(Boolean).join(" · ")}</span>;
}

/** The input while it is written, then as a list of its fields; not again what the title says already. */
function Input({ view, input, title }: { view: ItemView; input: unknown; title?: string }) {
  if (view.input !== "" && isEmpty(input)) {
    return (
      <pre class="plain">
        <SafeText text={view.input.slice(-4_000)} code />
      </pre>
    );
  }
  const fields = typeof input === "object" && input !== null ? Object.entries(input) : [["input", input]];
  const shown = fields.filter(([, value]) => value !== undefined && value !== title);
  if (shown.length === 0) return null;
  return (
    <dl class="input">
      {shown.map(([name, value]) => (
        <>
          <dt>{String(name)}</dt>
          <dd>
            <SafeText text={textOf(value)} code />
          </dd>
        </>
      ))}
    </dl>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text;
}

function shortInput(input: unknown): string {
  return isEmpty(input) ? "" : textOf(JSON.stringify(input)).slice(0, 200);
}

function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || JSON.stringify(input) === "{}";
}

function withoutFiles(item: Item): Item {
  return { ...item, content: item.content.filter(({ type }) => type !== "file") };
}
