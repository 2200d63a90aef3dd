import type { ComponentChildren } from "preact";

interface Props {
  label: string;
  hint?: string;
  /** What is wrong with what stands in the field, and what mends it. */
  wrong?: ComponentChildren;
  children: ComponentChildren;
}

/** A label around its field; what is wrong stands below it. */
export function Field({ label, hint, wrong, children }: Props) {
  return (
    <div class={wrong ? "field wrong" : "field"}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is the child it is given */}
      <label>
        <span class="label">{label}</span>
        {children}
        {hint && <span class="faint">{hint}</span>}
      </label>
      {wrong && (
        <div class="field-wrong" role="alert">
          {wrong}
        </div>
      )}
    </div>
  );
}
