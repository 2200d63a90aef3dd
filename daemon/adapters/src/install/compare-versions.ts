/** Older before newer: numbers by value, and a release after its own pre-releases (`1.2.0-rc.1` < `1.2.0`). */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = comparePart(a[at], b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): string[] {
  return version.split(/[.+]|(?=-)/);
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) {
    if (left === right) return 0;
    const extra = left ?? right ?? "";
    const longerIsNewer = extra.startsWith("-") ? -1 : 1;
    return left === undefined ? -longerIsNewer : longerIsNewer;
  }
  const [a, b] = [Number(left), Number(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return left < right ? -1 : left > right ? 1 : 0;
}
