import type { ComponentChildren } from "preact";

/** A label around its field. */
export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is the child it is given
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {hint && <span class="faint">{hint}</span>}
    </label>
  );
}
