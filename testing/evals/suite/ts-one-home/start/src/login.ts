const clean = (name: string) => name.trim().toLowerCase().replace(/\s+/g, " ");

export const isSame = (a: string, b: string) => clean(a) === clean(b);
