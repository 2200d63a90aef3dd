import type { Subgoal, Todo } from "@muster/codebuff-protocol";
import { fairCap, shorten } from "./shorten.ts";
import type { Summary } from "./summary.ts";

export interface Goals {
  readonly subgoals: Readonly<Record<string, Subgoal>>;
  readonly todos: readonly Todo[];
}

/** How the characters are shared out; what one list does not need goes to the work, which is the first to be cut. */
const shares = { users: 0.4, edits: 0.2, files: 0.08, decisions: 0.12, goals: 0.1 };
const leastUseful = 60;

/** The summary as a message, in at most `limit` characters. It can be read back, so that summaries add up. */
export function summaryText(summary: Summary, goals: Goals, limit: number): string {
  const open = "<conversation_summary>\nThe conversation so far, without its details.";
  const close = "</conversation_summary>";
  const room = limit - open.length - close.length - 2;
  const users = fit("user", summary.users, room * shares.users);
  const edits = fitEdits(summary.edits, room * shares.edits);
  const files = fitFiles([...summary.files], room * shares.files);
  const decisions = fit("decision", summary.decisions, room * shares.decisions);
  const subgoals = Object.entries(goals.subgoals).map(([id, subgoal]) => subgoalLine(id, subgoal));
  const todos = goals.todos.map(({ task, completed }) => `[${completed ? "x" : " "}] ${task}`);
  const goalTexts = [
    ...fit("subgoal", subgoals, (room * shares.goals) / 2),
    ...fit("todo", todos, (room * shares.goals) / 2),
  ];
  const kept = [...users, ...edits, ...files, ...decisions, ...goalTexts];
  const work = fitWork(summary.work, room - lengthOf(kept));
  return [open, ...users, ...decisions, ...edits, ...files, ...work, ...goalTexts, close].join("\n");
}

/** Reads back what `summaryText` wrote. Goals are stated anew each time, so they are left. */
export function readSummaryText(text: string): Summary {
  const summary: Summary = { users: [], edits: new Map(), files: new Set(), decisions: [], work: [] };
  for (const [, tag, inner = ""] of text.matchAll(entry)) {
    const value = reveal(inner);
    if (tag === "user") summary.users.push(value);
    if (tag === "decision") summary.decisions.push(value);
    if (tag === "work") summary.work.push(value);
    if (tag === "file") for (const path of value.split("\n")) summary.files.add(path);
    if (tag === "edit") {
      const [path = "", ...diff] = value.split("\n");
      summary.edits.set(path, diff.join("\n"));
    }
  }
  return summary;
}

const tags = "user|edit|file|decision|work|subgoal|todo|conversation_summary";
const entry = /<(user|edit|file|decision|work)>\n([\s\S]*?)\n<\/\1>/g;

function element(tag: string, hidden: string): string {
  return `<${tag}>\n${hidden}\n</${tag}>`;
}

/** A backslash keeps a text from opening or closing an entry; it is taken away again when the text is read back. */
function hide(text: string): string {
  return text.replace(new RegExp(`<(\\\\*/?(?:${tags})>)`, "g"), "<\\$1");
}

function reveal(text: string): string {
  return text.replace(new RegExp(`<\\\\(\\\\*/?(?:${tags})>)`, "g"), "<$1");
}

/** All texts, the long ones shortened alike; when even that is too little, those in the middle give way to a count. */
function fit(tag: string, plain: readonly string[], characters: number): string[] {
  const texts = plain.map(hide);
  const around = 2 * tag.length + 8;
  const cap = fairCap(
    texts.map((text) => text.length + around),
    characters,
  );
  if (cap - around >= leastUseful || cap === Number.POSITIVE_INFINITY) {
    return texts.map((text) => element(tag, shorten(text, cap - around)));
  }
  const most = Math.floor(characters / (leastUseful + around));
  if (most < 1) return [];
  const newest = Math.ceil(most / 2);
  const kept = texts.length <= most ? texts : [...texts.slice(0, most - newest), ...texts.slice(-newest)];
  const share = Math.floor(characters / Math.max(1, kept.length)) - around;
  return kept.map((text) => element(tag, shorten(text, share)));
}

function fitEdits(edits: ReadonlyMap<string, string>, characters: number): string[] {
  return fit(
    "edit",
    [...edits].map(([path, diff]) => `${path}\n${diff}`),
    characters,
  );
}

/** Paths share one entry: an element each would cost more than the path. */
function fitFiles(paths: readonly string[], characters: number): string[] {
  const fitting = (list: readonly string[], room: number) => {
    let left = room;
    return list.filter((path) => {
      left -= path.length + 1;
      return left >= 0;
    });
  };
  const room = characters - 16;
  const first = fitting(paths, room / 2);
  const rest = paths.filter((path) => !first.includes(path)).reverse();
  const last = fitting(rest, room - lengthOf(first)).reverse();
  return first.length + last.length === 0 ? [] : [element("file", hide([...first, ...last].join("\n")))];
}

/** The first part of the work holds the plan, the last where things stand: the middle goes first. */
function fitWork(work: readonly string[], characters: number): string[] {
  const whole = work.map((text) => element("work", hide(text)));
  if (lengthOf(whole) <= characters) return whole;
  const first = take(work, characters * 0.25);
  const rest = work.slice(first.length).reverse();
  const last = take(rest, characters - lengthOf(first) - 60).reverse();
  const gone = work.length - first.length - last.length;
  return [...first, `(${gone} entries left out)`, ...last];
}

function take(texts: readonly string[], characters: number): string[] {
  const taken: string[] = [];
  let left = characters;
  for (const text of texts) {
    const one = element("work", shorten(hide(text), 600));
    if (one.length + 1 > left) break;
    left -= one.length + 1;
    taken.push(one);
  }
  return taken;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

function subgoalLine(id: string, { objective, status, plan, logs }: Subgoal): string {
  return [id, status, objective, plan, logs.at(-1)].filter((one) => one !== undefined && one !== "").join(" · ");
}
