/** How many steps over maps, sets, arrays and the keys of objects `work` takes, wherever in this process it takes them. */
export async function countSteps(work: () => Promise<void>): Promise<number> {
  let steps = 0;
  const iterators = [new Map().values(), new Set().values(), [].values()].map((one) => Object.getPrototypeOf(one));
  const undo = [
    ...iterators.map((iterator) => replace(iterator, "next", () => steps++)),
    ...scans.map((name) => replace(Array.prototype, name, (array) => (steps += (array as unknown[]).length))),
    ...keys.map((name) => replace(Object, name, (_, [object]) => (steps += Reflect.ownKeys(Object(object)).length))),
  ];
  try {
    await work();
  } finally {
    for (const put of undo) put();
  }
  return steps;
}

const scans = ["find", "findIndex", "findLast", "filter", "some", "every", "includes", "indexOf", "map", "flatMap"];
const keys = ["keys", "values", "entries"];

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Counts each call of a method, and gives what puts it back. */
function replace(
  owner: Record<string, unknown> | object,
  name: string,
  count: (self: unknown, args: unknown[]) => void,
) {
  const methods = owner as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function (...args) {
    count(this, args);
    return method.apply(this, args);
  };
  return () => {
    methods[name] = method;
  };
}
