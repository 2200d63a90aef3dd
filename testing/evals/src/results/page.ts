import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { UniversalEvent } from "@muster/client";
import type { Result } from "./result.ts";
import type { Results } from "./results-folder.ts";

/** So much of one text is shown; the transcript's file has all. */
const mostChars = 8_000;

/** One HTML page of a set of results with its transcripts, piece by piece: it needs nothing but itself, and runs no script. */
export async function* writePage({ settings, runs }: Results, folder: string): AsyncGenerator<string> {
  const passed = runs.filter((run) => run.passed).length;
  yield `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(settings.label)}</title><style>${style}</style>
<h1>${escapeHtml(settings.label)}</h1><p>${passed} of ${runs.length} runs passed. Agent ${escapeHtml(settings.agent)}${settings.model === undefined ? "" : `, model ${escapeHtml(settings.model)}`}.</p>
<table><tr><th>task<th>run<th>outcome<th>score<th>seconds<th>cost<th>tokens<th>steps<th>tool errors</tr>`;
  const sorted = [...runs].sort((a, b) => (a.task === b.task ? a.run - b.run : a.task < b.task ? -1 : 1));
  for (const run of sorted) {
    yield `<tr class="${run.outcome}"><td><a href="#${nameOf(run)}">${escapeHtml(run.task)}</a><td>${run.run}<td>${run.outcome}<td>${run.score}<td>${run.seconds}<td>${run.costUsd === undefined ? "–" : `$${run.costUsd.toFixed(4)}`}<td>${run.tokens.input + run.tokens.output}<td>${run.steps}<td>${run.toolErrors}</tr>\n`;
  }
  yield "</table>\n";
  for (const run of sorted) {
    yield `<details id="${nameOf(run)}"><summary class="${run.outcome}">${escapeHtml(run.task)}, run ${run.run}: ${run.outcome}</summary><pre>${escapeHtml(cut(run.reason))}</pre>\n`;
    yield* writeTranscript(join(folder, "transcripts", `${run.task}-${run.run}.jsonl`));
    yield "</details>\n";
  }
  yield "</html>\n";
}

async function* writeTranscript(file: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) yield blockOf(JSON.parse(line) as UniversalEvent);
  } catch {
    // A run that could not be begun has no transcript, and a kill may have cut the last line.
    yield "<p>The transcript ends here.</p>";
  }
}

function blockOf(event: UniversalEvent): string {
  if (event.type === "turn.ended")
    return `<p>The turn ended: ${escapeHtml(event.data.status)}. ${escapeHtml(event.data.message ?? "")}</p>\n`;
  if (event.type !== "item.completed") return "";
  return event.data.item.content
    .map((part) => {
      if (part.type === "text" || part.type === "reasoning" || part.type === "plan")
        return `<pre class="${part.type}">${escapeHtml(cut(part.text))}</pre>`;
      if (part.type === "tool_call")
        return `<pre class="call"><b>${escapeHtml(part.name)}</b> ${escapeHtml(cut(JSON.stringify(part.input) ?? ""))}</pre>`;
      if (part.type === "tool_result")
        return `<pre class="${part.isError ? "wrong" : "answer"}">${escapeHtml(cut(part.output))}</pre>`;
      if (part.type === "file" && part.diff !== undefined)
        return `<pre class="diff">${escapeHtml(cut(part.diff))}</pre>`;
      return "";
    })
    .join("\n");
}

const nameOf = ({ task, run }: Result) => encodeURIComponent(`${task}-${run}`);
const cut = (text: string) =>
  text.length <= mostChars ? text : `${text.slice(0, mostChars)}\n… ${text.length - mostChars} more characters`;
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `body{font:15px/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #8884}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid #8886;padding-left:.7rem;margin:.5rem 0}
.call{border-color:#47c}.wrong,.failed td:nth-child(3),summary.failed{border-color:#c33;color:#c33}.passed td:nth-child(3),summary.passed{color:#283}
details{margin:.7rem 0}summary{cursor:pointer}`;
