import { isLong } from "@muster/chaos";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, nothing } from "../amount.ts";
import type { Limits } from "./account.ts";
import { Budgets, type Scope } from "./budgets.ts";
import { foldLedger } from "./ledger.ts";

const usd = (nanoUsd: number): Amount => ({ nanoUsd, tokens: nanoUsd });
const scope = (limits: Limits, spent = nothing, kind: Scope["kind"] = "session", id = "s"): Scope => {
  return { kind, id, limits, spentBefore: () => spent };
};
const ask = (requestId: string, scopes: Scope[], input: number, isKnown = false) => {
  return { requestId, scopes, input: usd(input), isKnown };
};

describe("A budget", () => {
  it("holds the input of each request, and refuses the next when nothing is left", () => {
    const budgets = new Budgets();
    const scopes = [scope({ nanoUsd: 100 })];
    expect(budgets.admit(ask("a", scopes, 60))).toBeUndefined();
    expect(budgets.admit(ask("b", scopes, 60))).toBeUndefined();
    expect(budgets.admit(ask("c", scopes, 1))).toEqual({
      kind: "session",
      id: "s",
      currency: "nanoUsd",
      used: usd(120),
      limit: 100,
    });
    budgets.settle("a", usd(1));
    budgets.settle("b", usd(1));
    expect(budgets.admit(ask("d", scopes, 60))).toBeUndefined();
  });

  it("refuses an input that the wire has told and that does not fit, not one that is only guessed", () => {
    const scopes = [scope({ tokens: 100 })];
    expect(new Budgets().admit(ask("a", scopes, 101, true))).toMatchObject({ currency: "tokens" });
    expect(new Budgets().admit(ask("a", scopes, 101, false))).toBeUndefined();
  });

  it("cuts all open requests at once when their outputs have used up what is left", () => {
    const budgets = new Budgets();
    const scopes = [scope({ nanoUsd: 100 })];
    for (const id of ["a", "b", "c"]) budgets.admit(ask(id, scopes, 10));
    expect(budgets.draw("a", { output: usd(30) }).cut).toEqual([]);
    expect(budgets.draw("b", { output: usd(40) }).cut).toEqual([]);
    expect(budgets.draw("c", { output: usd(1) }).cut.map(({ requestId }) => requestId)).toEqual(["a", "b", "c"]);
  });

  it("stays closed after a cut, also when less was used in the end, until it is raised", () => {
    const budgets = new Budgets();
    budgets.admit(ask("a", [scope({ nanoUsd: 100 })], 10));
    expect(budgets.draw("a", { output: usd(200) }).cut).toHaveLength(1);
    budgets.settle("a", usd(20));
    expect(budgets.admit(ask("b", [scope({ nanoUsd: 100 })], 1))).toMatchObject({ used: usd(20) });
    expect(budgets.admit(ask("b", [scope({ nanoUsd: 50 })], 1))).toMatchObject({ limit: 50 });
    expect(budgets.admit(ask("b", [scope({ nanoUsd: 101 })], 1))).toBeUndefined();
  });

  it("that is raised while a stream is open lets the stream go on at the next request", () => {
    const budgets = new Budgets();
    budgets.admit(ask("a", [scope({ nanoUsd: 100 })], 50));
    budgets.admit(ask("b", [scope({ nanoUsd: 1000 })], 10));
    expect(budgets.draw("a", { output: usd(500) }).cut).toEqual([]);
  });

  it("warns once at four fifths, and again only for another budget", () => {
    const budgets = new Budgets();
    const scopes = [scope({ nanoUsd: 100 })];
    budgets.admit(ask("a", scopes, 10));
    expect(budgets.draw("a", { output: usd(69) }).warned).toEqual([]);
    expect(budgets.draw("a", { output: usd(70) }).warned).toEqual([
      { kind: "session", id: "s", usedNanoUsd: 80, limitNanoUsd: 100 },
    ]);
    expect(budgets.draw("a", { output: usd(85) }).warned).toEqual([]);
    expect(budgets.settle("a", usd(96)).warned).toEqual([]);
    budgets.admit(ask("b", [scope({ nanoUsd: 110 })], 1));
    expect(budgets.draw("b", { output: usd(1) }).warned).toMatchObject([{ limitNanoUsd: 110 }]);
  });

  it("that had passed four fifths before a restart is not told again", () => {
    const budgets = new Budgets();
    budgets.admit(ask("a", [scope({ nanoUsd: 100 }, usd(85))], 1));
    expect(budgets.draw("a", { output: usd(2) }).warned).toEqual([]);
  });

  it("of a group or the daemon refuses and cuts the requests of all its sessions", () => {
    const budgets = new Budgets();
    const daemon = scope({ nanoUsd: 100 }, nothing, "daemon", "");
    budgets.admit(ask("a", [scope({}, nothing, "session", "s1"), daemon], 10));
    budgets.admit(ask("b", [scope({}, nothing, "session", "s2"), daemon], 10));
    expect(budgets.draw("a", { output: usd(90) }).cut).toMatchObject([
      { requestId: "a", reached: { kind: "daemon" } },
      { requestId: "b", reached: { kind: "daemon" } },
    ]);
    expect(budgets.admit(ask("c", [scope({}, nothing, "session", "s3"), daemon], 1))).toMatchObject({ kind: "daemon" });
  });

  it("that refuses a request holds nothing of it in the others", () => {
    const budgets = new Budgets();
    const scopes = [scope({ nanoUsd: 100 }), scope({ nanoUsd: 0 }, nothing, "daemon", "")];
    expect(budgets.admit(ask("a", scopes, 10))).toMatchObject({ kind: "daemon" });
    expect(budgets.used("session", "s")).toEqual(nothing);
  });
});

const sessions = 3;
const between = (min: number, max: number) => fc.integer({ min, max });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("begin" as const),
      session: fc.nat(sessions - 1),
      input: fc.nat(60),
      guess: fc.nat(90),
      isKnown: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("stream" as const),
      which: fc.nat(20),
      shown: fc.nat(40),
      hidden: fc.nat(10),
      price: between(1, 3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("end" as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("abort" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("raise" as const), session: fc.nat(sessions - 1), by: fc.nat(50) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Sizes = Readonly<Record<"session" | "group" | "daemon", number>>;

const runs = isLong ? 100_000 : 10_000;

it(`in ${runs} random runs spent ≤ budget + the inputs and uncounted output of open requests`, () => {
  let cuts = 0;
  let refusals = 0;
  const sizes = fc.record({ session: between(1, 400), group: between(1, 600), daemon: between(1, 800) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), sizes, (steps, limits) => {
      const world = new World(limits);
      for (const one of steps) world.take(one);
      cuts += world.cuts;
      refusals += world.refusals;
    }),
    { numRuns: runs },
  );
  // Without these the runs would show nothing.
  expect([cuts > runs / 10, refusals > runs / 10]).toEqual([true, true]);
});

/** One request as it really is; what of it the gateway has counted; and how much of it nobody will ever count. */
interface Real {
  readonly session: number;
  readonly reserve: number;
  readonly input: number;
  output: number;
  counted: number;
  lastPiece: number;
  isInputCounted: boolean;
  lost: number;
}

/**
 * The world beside the gateway: it knows what each request really costs and keeps its own sums. Sessions 0 and 1 are one
 * group. The log of each session and the ledger are what is left after a kill.
 */
class World {
  cuts = 0;
  refusals = 0;
  readonly #limits: Sizes;
  readonly #raised = Array.from({ length: sessions }, () => 0);
  readonly #log = Array.from({ length: sessions }, () => new Map<string, number>());
  #ledger = "";
  #start = foldLedger("");
  #budgets = new Budgets();
  readonly #open = new Map<string, Real>();
  readonly #all: Real[] = [];
  /** By budget: the requests that were open when it last was not passed, and what was let in since. */
  readonly #atLimit = new Map<string, Real[]>();

  constructor(limits: Sizes) {
    this.#limits = limits;
  }

  take(one: Step): void {
    const ids = [...this.#open.keys()];
    const id = "which" in one ? ids[one.which % Math.max(1, ids.length)] : undefined;
    const real = id === undefined ? undefined : this.#open.get(id);
    if (one.do === "begin") this.#begin(one);
    else if (one.do === "kill") this.#kill();
    else if (one.do === "raise") this.#raised[one.session] = (this.#raised[one.session] ?? 0) + one.by;
    else if (id !== undefined && real !== undefined) {
      if (one.do === "stream") this.#stream(id, real, one);
      else if (one.do === "end") this.#close(id, real, real.input + real.output);
      else this.#leave(id, real);
      for (const key of keysOf(real.session)) {
        if (this.#counted(key) <= this.#limit(key)) continue;
        expect(this.#openOf(key), `${key} is passed: all is cut`).toEqual([]);
      }
    }
    this.#check();
  }

  #begin({ session, input, guess, isKnown }: Step & { do: "begin" }): void {
    const requestId = `r${this.#all.length}`;
    // What the wire has told is right; what is guessed may be anything.
    const reserve = isKnown ? input : guess;
    const wasLeft = keysOf(session).every((key) => this.#counted(key) < this.#limit(key));
    const reached = this.#budgets.admit({ requestId, scopes: this.#scopes(session), input: usd(reserve), isKnown });
    if (reached !== undefined) {
      this.refusals++;
      return;
    }
    expect(wasLeft, "a request is let in only while something is left").toBe(true);
    this.#write({ begin: requestId, ...(session < 2 && { group: "g" }), nanoUsd: reserve, tokens: reserve });
    this.#log[session]?.set(requestId, reserve);
    const real = { session, reserve, input, output: 0, counted: 0, lastPiece: 0, isInputCounted: false, lost: 0 };
    this.#open.set(requestId, real);
    this.#all.push(real);
    for (const key of keysOf(session)) this.#atLimit.set(key, [...(this.#atLimit.get(key) ?? []), real]);
  }

  #stream(id: string, real: Real, { shown, hidden, price }: Step & { do: "stream" }): void {
    real.lastPiece = (shown + hidden) * price;
    real.output += real.lastPiece;
    real.counted += shown * price;
    real.isInputCounted = true;
    this.#apply(this.#budgets.draw(id, { input: usd(real.input), output: usd(real.counted) }).cut);
  }

  /** A stream that ends early never tells its usage: it is settled by what was counted. */
  #leave(id: string, real: Real): void {
    real.lost = real.output - real.counted;
    this.#close(id, real, real.input + real.counted);
  }

  #close(id: string, real: Real, cost: number): void {
    this.#open.delete(id);
    this.#write({ settle: id, nanoUsd: cost, tokens: cost });
    this.#log[real.session]?.set(id, cost);
    this.#apply(this.#budgets.settle(id, usd(cost)).cut);
  }

  #apply(cut: readonly { requestId: string }[]): void {
    for (const { requestId } of cut) {
      const real = this.#open.get(requestId);
      if (real === undefined) continue;
      this.cuts++;
      this.#leave(requestId, real);
    }
  }

  #kill(): void {
    for (const real of this.#open.values()) real.lost = Math.max(0, real.input + real.output - real.reserve);
    this.#open.clear();
    this.#budgets = new Budgets();
    this.#start = foldLedger(this.#ledger);
    expect(this.#start.damagedLines).toBe(0);
  }

  /** The rule, for each budget, with sums that the gateway has no part in. */
  #check(): void {
    for (const key of keys) {
      const limit = this.#limit(key);
      if (this.#counted(key) <= limit) this.#atLimit.set(key, this.#openOf(key));
      const open = this.#atLimit.get(key) ?? [];
      const ofOpen = sum(open.map((real) => real.input + (real.output - real.counted) + real.lastPiece));
      const those = this.#all.filter(({ session }) => keysOf(session).includes(key));
      const lost = sum(those.filter((real) => !open.includes(real)).map((real) => real.lost));
      const spent = sum(those.map((real) => real.input + real.output));
      if (spent > limit + ofOpen + lost) {
        expect.fail(`${key}: spent ${spent} of ${limit}, with ${ofOpen} open and ${lost} lost`);
      }
    }
  }

  /** What the gateway must know: closed requests by the log, open ones by what was counted. */
  #counted(key: string): number {
    const ofSessions = this.#log.flatMap((log, session) => (keysOf(session).includes(key) ? [...log.values()] : []));
    const open = this.#openOf(key).map((real) => (real.isInputCounted ? real.input + real.counted - real.reserve : 0));
    return sum(ofSessions) + sum(open);
  }

  #openOf(key: string): Real[] {
    return [...this.#open.values()].filter(({ session }) => keysOf(session).includes(key));
  }

  #limit(key: string): number {
    if (key === "daemon" || key === "group") return this.#limits[key];
    return this.#limits.session + (this.#raised[Number(key)] ?? 0);
  }

  #scopes(session: number): Scope[] {
    const spent = sum([...(this.#log[session]?.values() ?? [])]);
    const own = scope({ nanoUsd: this.#limit(String(session)) }, usd(spent), "session", String(session));
    const group = scope({ nanoUsd: this.#limits.group }, this.#start.groups.get("g") ?? nothing, "group", "g");
    const daemon = scope({ nanoUsd: this.#limits.daemon }, this.#start.daemon, "daemon", "");
    return session < 2 ? [own, group, daemon] : [own, daemon];
  }

  #write(line: object): void {
    this.#ledger += `${JSON.stringify(line)}\n`;
  }
}

const keys = ["0", "1", "2", "group", "daemon"];

function keysOf(session: number): string[] {
  return [String(session), ...(session < 2 ? ["group"] : []), "daemon"];
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0);
}
