import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { offsetOf, RowHeights, rowAt, rowWindow } from "../model/row-window.ts";

export interface WindowedListProps {
  label: string;
  keys: readonly string[];
  draw(index: number): ComponentChildren;
  /** The usual height of a row, until some have been measured. */
  estimate: number;
  /** Begins at its end and stays there, until the person looks at something above. */
  followsEnd?: boolean;
  /** The row that is to be seen. */
  at?: string;
  onTop?(): void;
}

const margin = 600;
/** Nearer to the end than this counts as the end. */
const nearEnd = 48;

/**
 * A list that draws only the rows that are seen. What the person looks at stays where it is on the screen, whatever is
 * added above it and whatever height the rows turn out to have.
 */
export function WindowedList({ label, keys, draw, estimate, followsEnd = false, at, onTop }: WindowedListProps) {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const heights = useRef<RowHeights>();
  heights.current ??= new RowHeights(estimate);
  const measured = heights.current;
  const place = useRef<{ atEnd: boolean; key?: string; offset: number; height: number }>();
  place.current ??= { atEnd: followsEnd, offset: 0, height: 800 };
  const here = place.current;
  const [, drawAgain] = useReducer((version: number) => version + 1, 0);

  const shownAt = useRef<string>();
  if (at !== undefined && shownAt.current !== at && keys.includes(at)) {
    shownAt.current = at;
    Object.assign(here, { atEnd: false, key: at, offset: 80 });
  }

  const top = topOf(keys, measured, here);
  const { first, end, above, below } = rowWindow(keys, measured, { top, height: here.height, margin });

  const settle = () => {
    const box = scroller.current;
    if (box === null || content.current === null) return;
    let hasChanged = here.height !== box.clientHeight;
    here.height = box.clientHeight;
    for (const row of content.current.children as HTMLCollectionOf<HTMLElement>) {
      const { key } = row.dataset;
      if (key !== undefined && measured.set(key, row.getBoundingClientRect().height)) hasChanged = true;
    }
    const wanted = here.atEnd ? box.scrollHeight - box.clientHeight : topOf(keys, measured, here);
    if (Math.abs(box.scrollTop - wanted) > 1) box.scrollTop = wanted;
    if (hasChanged) drawAgain(undefined);
  };
  useLayoutEffect(settle);
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    // Pictures that arrive, folds that open, a keyboard that takes half of the screen.
    const observer = new ResizeObserver(() => latest.current());
    for (const element of [scroller.current, content.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const box = scroller.current;
    if (box === null) return;
    const wasAt = topOf(keys, measured, here);
    if (!here.atEnd && Math.abs(wasAt - box.scrollTop) < 1) return;
    here.atEnd = followsEnd && box.scrollHeight - box.clientHeight - box.scrollTop < nearEnd;
    const { index, offset } = rowAt(keys, measured, box.scrollTop);
    here.key = keys[index];
    here.offset = -offset;
    if (box.scrollTop < margin) onTop?.();
    drawAgain(undefined);
  };

  /** At once: on its way a browser's own scrolling would be stopped by each row that is measured. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || (event.key !== "Home" && event.key !== "End")) return;
    event.preventDefault();
    const isHome = event.key === "Home";
    Object.assign(here, { atEnd: !isHome && followsEnd, key: isHome ? keys[0] : keys.at(-1), offset: 0 });
    if (isHome) onTop?.();
    drawAgain(undefined);
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="windowed" ref={scroller} onScroll={onScroll} onKeyDown={onKeyDown} tabIndex={0} aria-label={label}>
      <div style={{ height: `${above}px` }} />
      <div ref={content}>
        {keys.slice(first, end).map((key, index) => (
          <div key={key} data-key={key} class={key === at ? "here" : undefined}>
            {draw(first + index)}
          </div>
        ))}
      </div>
      <div style={{ height: `${below}px` }} />
      {followsEnd && !here.atEnd && (
        <button
          type="button"
          class="to-end"
          aria-label="To the end"
          onClick={() => {
            here.atEnd = true;
            drawAgain(undefined);
          }}
        >
          ↓
        </button>
      )}
    </section>
  );
}

function topOf(
  keys: readonly string[],
  heights: RowHeights,
  { atEnd, key, offset, height }: { atEnd: boolean; key?: string; offset: number; height: number },
): number {
  if (atEnd) return Math.max(0, offsetOf(keys, heights, keys.length) - height);
  const index = key === undefined ? -1 : keys.indexOf(key);
  return index < 0 ? 0 : Math.max(0, offsetOf(keys, heights, index) - offset);
}
