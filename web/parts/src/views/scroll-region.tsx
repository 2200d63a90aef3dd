import type { ComponentChildren } from "preact";

/** Something that scrolls by itself: it must be reached by the keyboard, and say what it is. */
export function ScrollRegion(props: { label: string; class: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll it
    <section class={props.class} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}
