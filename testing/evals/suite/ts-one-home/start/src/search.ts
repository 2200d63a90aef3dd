// Names come with composed and decomposed letters: they are the same name.
function normaliseName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ");
}

export const search = (names: string[], wanted: string) =>
  names.filter((name) => normaliseName(name).includes(normaliseName(wanted)));
