import { afterAll, expect, test } from "vitest";
import { SymbolParser } from "./symbol-parser.ts";

const parser = new SymbolParser();
afterAll(() => parser.close());

test.each([
  [
    "a.ts",
    "export class Box { open() { lock(); } }\ninterface Lid {}\ntype Key = string;\nenum Size { A }\nconst inner = () => fill();\nexport const outer = 1;\nabstract class Base {}\n",
    ["Box", "open", "Lid", "Key", "Size", "inner", "outer", "Base"],
    ["lock", "fill"],
  ],
  ["a.tsx", "export function Page() { return <Header title={name()} />; }\n", ["Page"], ["Header", "name"]],
  [
    "a.mjs",
    "function go() { new Car().drive(); }\nclass Car { drive() {} }\n",
    ["go", "Car", "drive"],
    ["Car", "drive"],
  ],
  [
    "a.py",
    "LIMIT = 3\nclass Shop(Base):\n    def sell(self):\n        self.count(LIMIT)\ndef main():\n    Shop().sell()\n",
    ["LIMIT", "Shop", "sell", "main"],
    ["Base", "count", "Shop", "sell"],
  ],
  [
    "a.go",
    "package a\ntype Queue struct{}\nconst Limit = 1\nfunc New() *Queue { return &Queue{} }\nfunc (q *Queue) Put() { wake(); q.Take() }\n",
    ["Queue", "Limit", "New", "Put"],
    ["Queue", "wake", "Take"],
  ],
  [
    "a.rs",
    'struct Job;\nenum State { On }\ntrait Run { fn run(&self); }\nfn start() { helper(); job.go(); Job::make(); println!("x"); }\n',
    ["Job", "State", "Run", "start"],
    ["helper", "go", "make", "println"],
  ],
  [
    "a.java",
    "class Shop { void sell() { count(); new Cart(); } }\ninterface Seller {}\n",
    ["Shop", "sell", "Seller"],
    ["count", "Cart"],
  ],
  [
    "a.cs",
    "class Shop { void Sell() { Count(); cart.Add(); new Cart(); } }\n",
    ["Shop", "Sell"],
    ["Count", "Add", "Cart"],
  ],
  [
    "a.cpp",
    "struct Box { int size; };\nint area(int w) { return times(w, w); }\nvoid Box::open() { lock(); }\n#define LIMIT 3\n",
    ["Box", "area", "open", "LIMIT"],
    ["times", "lock"],
  ],
  ["a.c", "static int *find(int n) { return look(n); }\n", ["find"], ["look"]],
  [
    "a.rb",
    "module Store\n  class Shop\n    def sell\n      count(1)\n    end\n  end\nend\n",
    ["Store", "Shop", "sell"],
    ["count"],
  ],
  [
    "a.php",
    "<?php\nclass Shop { function sell() { count_all(); $this->note(); new Cart(); } }\n",
    ["Shop", "sell"],
    ["count_all", "note", "Cart"],
  ],
])("%s: what it defines and what it uses", async (file, text, defs, uses) => {
  const symbols = await parser.parse(file, text);
  expect(symbols?.defs).toEqual(defs);
  expect(Object.keys(symbols?.uses ?? {})).toEqual(expect.arrayContaining(uses));
  expect(symbols?.lines).toBe(text.split("\n").length);
});

test("a broken source still gives what can be read, another file nothing", async () => {
  expect((await parser.parse("a.ts", "function ok() {}\nfunction ( {{{"))?.defs).toEqual(["ok"]);
  expect(await parser.parse("a.md", "# x")).toBeUndefined();
  expect(await parser.parse("Makefile", "all:")).toBeUndefined();
});
