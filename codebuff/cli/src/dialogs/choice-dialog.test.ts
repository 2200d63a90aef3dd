import { expect, it } from "vitest";
import { themeFor } from "../text/theme.ts";
import { ChoiceDialog } from "./choice-dialog.ts";

it("shows the choice that Enter would take whole, the others on a line each", () => {
  const long = "a label that goes on and on until it does not fit into the window any more";
  const choices = [
    { label: long, help: "and why", value: 1 },
    { label: long, value: 2 },
  ];
  const dialog = new ChoiceDialog({ title: "Which?", choices, escape: "skips" }, () => undefined);
  const { lines, cursor } = dialog.render(40, 20, themeFor("dark", "plain"));
  expect(lines).toEqual([
    "? Which?",
    "▸ 1. a label that goes on and on until",
    "     it does not fit into the window any",
    "     more and why",
    "  2. a label that goes on and on unt…",
    "  enter chooses · esc skips",
  ]);
  expect(cursor.row).toBe(1);
});
