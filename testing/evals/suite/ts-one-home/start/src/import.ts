function normalise(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

export const importNames = (names: string[]) => [...new Set(names.map(normalise))];
