/** A line of a file as one diff knows it, or a run of lines that it does not show. */
type Step =
  | { readonly kind: "same" | "removed" | "added"; readonly text: string }
  | { readonly kind: "gap"; readonly count: number };

interface Script {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly Step[];
}

const context = 3;
/** The name of a file that is not there. */
const nothing = "/dev/null";

/**
 * What several diffs of one file did together, as one diff: a line that was added and changed again is there once, and what
 * was taken back is not there. Empty where nothing is left of it; undefined where one does not follow from the other, because
 * somebody else changed the file in between or its places are not known.
 */
export function netDiff(diffs: readonly string[]): string | undefined {
  const [first, ...others] = diffs.map(scriptOf);
  if (first === undefined) return "";
  let net: Script | undefined = first;
  for (const next of others) {
    net = after(net, next);
    if (net === undefined) return undefined;
  }
  return written({ ...net, steps: settled(net.steps) });
}

/** undefined where the second does not follow from the first. */
function after(net: Script, next: Script): Script | undefined {
  // It was not there any more: where nothing was at the beginning either, all of it is new once more.
  if (next.from === nothing) return net.from === nothing ? next : undefined;
  const steps = follow(net.steps, next.steps);
  return steps && { from: net.from, to: next.to, steps };
}

/** The steps from the top of the file to its end, which is a run of lines without a number. */
function scriptOf(diff: string): Script {
  const steps: Step[] = [];
  let from = "";
  let to = "";
  /** The line of the old file that comes next. */
  let at = 1;
  let before = 0;
  let after = 0;
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    const isInHunk = before > 0 || after > 0;
    if (hunk !== null && !isInHunk) {
      before = Number(hunk[2] ?? 1);
      after = Number(hunk[3] ?? 1);
      // A hunk without old lines names the one it stands behind.
      const begins = Number(hunk[1]) + (before === 0 ? 1 : 0);
      if (begins > at) steps.push({ kind: "gap", count: begins - at });
      at = Math.max(at, begins) + before;
    } else if (!isInHunk) {
      if (line.startsWith("--- ")) from = line.slice(4);
      if (line.startsWith("+++ ")) to = line.slice(4);
    } else if (!line.startsWith("\\")) {
      const kind = line.startsWith("-") ? "removed" : line.startsWith("+") ? "added" : "same";
      if (kind !== "added") before--;
      if (kind !== "removed") after--;
      steps.push({ kind, text: line.slice(1) });
    }
  }
  steps.push({ kind: "gap", count: Number.POSITIVE_INFINITY });
  return { from, to, steps };
}

/** One script after the other: what the first left is what the second found. undefined where it found something else. */
function follow(first: readonly Step[], second: readonly Step[]): Step[] | undefined {
  const all: Step[] = [];
  const one = reader(first);
  const two = reader(second);
  for (;;) {
    const left = one.peek();
    const found = two.peek();
    if (left.kind === "removed") all.push(one.take());
    else if (found.kind === "added") all.push(two.take());
    else if (left.kind === "gap" && found.kind === "gap") {
      const count = Math.min(left.count, found.count);
      all.push({ kind: "gap", count });
      if (count === Number.POSITIVE_INFINITY) return all;
      one.skip(count);
      two.skip(count);
    } else if (left.kind === "gap") {
      one.skip(1);
      all.push(two.take());
    } else if (found.kind === "gap") {
      two.skip(1);
      all.push(one.take());
    } else {
      if (left.text !== found.text) return undefined;
      one.take();
      two.take();
      if (left.kind === "same") all.push(found);
      else if (found.kind === "same") all.push(left);
    }
  }
}

function reader(steps: readonly Step[]) {
  let at = 0;
  /** Lines of the present gap that were passed. */
  let passed = 0;
  const peek = (): Step => {
    const step = steps[at] ?? { kind: "gap", count: Number.POSITIVE_INFINITY };
    return step.kind === "gap" ? { kind: "gap", count: step.count - passed } : step;
  };
  return {
    peek,
    take(): Step {
      const step = peek();
      at++;
      return step;
    },
    skip(count: number): void {
      const step = steps[at];
      passed += count;
      if (step?.kind !== "gap" || passed < step.count) return;
      at++;
      passed = 0;
    },
  };
}

/** In each changed place first what went, then what came; lines that went and came again at its edges are the same. */
function settled(steps: readonly Step[]): Step[] {
  const all: Step[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const settle = () => {
    let head = 0;
    while (head < removed.length && head < added.length && removed[head] === added[head]) head++;
    let tail = 0;
    const most = Math.min(removed.length, added.length) - head;
    while (tail < most && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
    const same = (text: string): Step => ({ kind: "same", text });
    all.push(...removed.slice(0, head).map(same));
    all.push(...removed.slice(head, removed.length - tail).map((text): Step => ({ kind: "removed", text })));
    all.push(...added.slice(head, added.length - tail).map((text): Step => ({ kind: "added", text })));
    all.push(...removed.slice(removed.length - tail).map(same));
    removed = [];
    added = [];
  };
  for (const step of steps) {
    if (step.kind === "removed") removed.push(step.text);
    else if (step.kind === "added") added.push(step.text);
    else {
      settle();
      all.push(step);
    }
  }
  settle();
  return all;
}

/** As a unified diff: the changed lines with three around them. Empty where no line is changed. */
function written({ from, to, steps }: Script): string {
  const changed = steps.flatMap(({ kind }, at) => (kind === "removed" || kind === "added" ? [at] : []));
  if (changed.length === 0) return "";
  const isNear = nearness(steps, changed);
  const lines = [`--- ${from}`, `+++ ${to}`];
  let oldLine = 1;
  let newLine = 1;
  for (let at = 0; at < steps.length; ) {
    const hunk: Step[] = [];
    while (at < steps.length && isNear[at]) hunk.push(steps[at++] as Step);
    if (hunk.length > 0) {
      const [before, after] = [countOf(hunk, "added"), countOf(hunk, "removed")];
      lines.push(`@@ -${rangeOf(oldLine, before)} +${rangeOf(newLine, after)} @@`);
      for (const step of hunk) if (step.kind !== "gap") lines.push(`${signs[step.kind]}${step.text}`);
      oldLine += before;
      newLine += after;
      continue;
    }
    const step = steps[at++];
    const count = step?.kind === "gap" ? step.count : 1;
    oldLine += count;
    newLine += count;
  }
  return `${lines.join("\n")}\n`;
}

const signs = { same: " ", removed: "-", added: "+" } as const;

/** For each step whether it belongs to a hunk. */
function nearness(steps: readonly Step[], changed: readonly number[]): boolean[] {
  const isNear = steps.map(() => false);
  for (const at of changed) {
    isNear[at] = true;
    for (const direction of [-1, 1]) {
      for (let away = 1; away <= context && steps[at + away * direction]?.kind === "same"; away++) {
        isNear[at + away * direction] = true;
      }
    }
  }
  return isNear;
}

/** Lines of a hunk in one of the two files: all but those that are only in the other. */
function countOf(hunk: readonly Step[], other: "removed" | "added"): number {
  return hunk.filter(({ kind }) => kind !== other).length;
}

function rangeOf(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : `${line},${count}`;
}
