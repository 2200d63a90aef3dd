import { expect, it } from "vitest";
import { arePaid, type CallLife, type Happening, heldCall, outcomeOf, owedOf, type Stage, step } from "./call-life.ts";

const happenings = [
  ...(["sent", "refused", "answered", "told", "completed", "unreadable"] as const),
  ...(["left", "given up", "shut down", "used up", "shut out"] as const),
];

/** The stage after what changes it; nothing else does. */
const nextStages: Record<Stage, Partial<Record<Happening, Stage>>> = {
  held: { sent: "sent" },
  sent: { refused: "refused", answered: "answering" },
  answering: { completed: "complete", unreadable: "refused" },
  complete: {},
  refused: {},
};

/** Every life that can come about, found by walking all happenings from the beginning. */
const reachable = (() => {
  const lives = new Map([[JSON.stringify(heldCall), heldCall]]);
  for (const life of lives.values()) {
    for (const happening of happenings) {
      const next = step(life, happening);
      lives.set(JSON.stringify(next), next);
    }
  }
  return [...lives.values()];
})();

const transitions = reachable.flatMap((life) => happenings.map((happening) => [life, happening] as const));
const nameOf = ({ stage, isTold, isLeft, stoppedBy }: CallLife) =>
  [stage, isTold && "told", isLeft && "left", stoppedBy].filter(Boolean).join(", ");

it("every life is met: 5 stages, told only once it answered, left and stopped in each", () => {
  expect(reachable.length).toBe(2 * 10 + 3 * 2 * 10);
  expect(transitions.length).toBe(80 * 11);
});

it.each(transitions.map(([life, happening]) => [nameOf(life), happening, life] as const))(
  "%s → %s",
  (_, happening, life) => {
    const stage = nextStages[life.stage][happening] ?? life.stage;
    const isStop = ["given up", "shut down", "used up", "shut out"].includes(happening);
    expect(step(life, happening)).toEqual({
      stage,
      isTold: life.isTold || (happening === "told" && life.stage === "answering"),
      isLeft: life.isLeft || happening === "left",
      stoppedBy: life.stoppedBy ?? (isStop && life.stage !== "complete" ? happening : undefined),
    });
  },
);

const release = "release";
const usage = "settle with usage";
const estimate = "settle by estimate";

/** What is owed: by stage and who stopped it; with two words, before and after the provider told its usage. */
it.each([
  ["held", undefined, release],
  ["held", "given up", release],
  ["held", "used up", release],
  ["held", "shut out", release],
  ["held", "shut down", release],
  ["sent", undefined, release],
  ["sent", "given up", estimate],
  ["sent", "used up", estimate],
  ["sent", "shut out", estimate],
  ["sent", "shut down", estimate],
  ["refused", undefined, release],
  ["refused", "given up", release],
  ["refused", "used up", release],
  ["refused", "shut out", release],
  ["refused", "shut down", release],
  ["answering", undefined, estimate, usage],
  ["answering", "given up", estimate, usage],
  ["answering", "shut down", estimate, usage],
  ["answering", "used up", estimate, usage],
  ["answering", "shut out", estimate, usage],
  ["complete", undefined, estimate, usage],
  ["complete", "given up", estimate, usage],
  ["complete", "shut down", estimate, usage],
  ["complete", "used up", estimate, usage],
  ["complete", "shut out", estimate, usage],
] as const)("%s, stopped by %s: %s", (stage, stoppedBy, owed, owedWhenTold: string = owed) => {
  for (const isLeft of [false, true]) {
    expect(owedOf({ stage, stoppedBy, isLeft, isTold: false })).toBe(owed);
    expect(owedOf({ stage, stoppedBy, isLeft, isTold: true })).toBe(owedWhenTold);
  }
});

it.each([
  [["sent", "answered", "told", "completed"], "completed", usage],
  [["sent", "answered", "completed"], "completed", estimate],
  [["sent", "answered", "left", "told", "completed"], "completed", usage],
  [["sent", "answered"], "cut off", estimate],
  [["sent", "answered", "told"], "cut off", usage],
  [["sent", "answered", "left", "given up"], "client gone", estimate],
  [["sent", "left", "given up"], "client gone", estimate],
  [["sent", "left"], "client gone", release],
  [["sent", "left", "refused"], "client gone", release],
  [["sent", "left", "shut down"], "shut down", estimate],
  [["sent", "answered", "shut down"], "shut down", estimate],
  [["sent", "shut down", "answered", "told"], "shut down", usage],
  [["sent", "answered", "used up"], "used up", estimate],
  [["sent", "answered", "left", "used up"], "used up", estimate],
  [["sent", "answered", "shut out", "used up"], "shut out", estimate],
  [["sent", "answered", "unreadable"], "cut off", release],
  [["sent", "answered", "told", "unreadable"], "cut off", release],
  [["sent"], "cut off", release],
  [["left"], "client gone", release],
] as const)("%j ends %s: %s", (way: readonly Happening[], outcome, owed) => {
  const life = way.reduce(step, heldCall);
  expect([outcomeOf(life), owedOf(life)]).toEqual([outcome, owed]);
});

it.each([
  ["all whole", ["complete", "complete"], undefined, [true, true]],
  ["one refused", ["complete", "refused"], undefined, [true, false]],
  ["one cut off by the provider", ["complete", "answering"], undefined, [true, false]],
  ["one stopped by us", ["complete", "answering"], "given up", [true, true]],
  ["one never answered, stopped by us", ["complete", "sent"], "shut down", [true, true]],
  ["none whole", ["answering", "refused"], undefined, [true, false]],
  ["none reached", ["sent", "sent"], undefined, [false, false]],
] as const)("several requests of one call, %s", (_, stages, stoppedBy, paid) => {
  const lives = stages.map((stage) => ({
    ...heldCall,
    stage,
    stoppedBy: stage === "complete" ? undefined : stoppedBy,
  }));
  expect(arePaid(lives)).toEqual(paid);
});
