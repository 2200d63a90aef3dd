import { expect, it } from "vitest";
import { actions } from "../screen/actions.ts";
import { type Context, keymap } from "./key-table.ts";
import { actionFor, keymapWith } from "./keymap.ts";

const holds = (...contexts: Context[]) => new Set<Context>(["editor", ...contexts]);

it("every row has an action, and no key stands twice in a context", () => {
  expect(keymap.filter(([, , action]) => actions[action] === undefined)).toEqual([]);
  const places = keymap.map(([context, key]) => `${context} ${key}`);
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
});

it("Ctrl-C ends the narrowest thing first", () => {
  const press = (...contexts: Context[]) => actionFor("\u0003", holds(...contexts));
  expect(press("command", "text", "running", "paused")).toBe("command.interrupt");
  expect(press("text", "running", "paused")).toBe("text.clear");
  expect(press("running", "paused")).toBe("run.interrupt");
  expect(press("paused")).toBe("queue.clear");
  expect(press()).toBe("exit.ask");
});

it("Escape leaves bash mode, then interrupts, then closes the menu", () => {
  const press = (...contexts: Context[]) => actionFor("\u001b", holds(...contexts));
  expect(press("bashMode", "running", "menu")).toBe("mode.leave");
  expect(press("running", "menu")).toBe("run.interrupt");
  expect(press("menu")).toBe("menu.close");
  expect(press()).toBeUndefined();
});

it("a dialog has the keys to itself, and pages are turned only in full screen", () => {
  expect(actionFor("\u001b", new Set(["dialog", "fullScreen"]))).toBe("dialog.refuse");
  expect(actionFor("\u001b[5~", holds("fullScreen", "running"))).toBe("page.up");
  expect(actionFor("\u001b[5~", holds())).toBeUndefined();
  expect(actionFor("\u001b", holds("fullScreen", "running"))).toBe("run.interrupt");
  expect(actionFor("\u001b", holds("fullScreen"))).toBe("page.close");
  expect(actionFor("\u0014", holds("fullScreen"))).toBe("page.fold");
  expect(actionFor("\u0014", holds())).toBe("page.unfold");
});

it("a key of the person's own takes the place of ours, and none leaves a key without an action", () => {
  const rows = keymapWith({ "ctrl+s": "search.open", "ctrl+o": "search.open", "ctrl+t": "none" });
  const press = (sequence: string, ...contexts: Context[]) => actionFor(sequence, holds(...contexts), rows);
  expect(press("\u0013")).toBe("search.open");
  expect(press("\u0012")).toBe("search.open");
  expect(press("\u000f")).toBe("search.open");
  expect(press("\u0014")).toBeUndefined();
  expect(press("\u0003", "running")).toBe("run.interrupt");
});
