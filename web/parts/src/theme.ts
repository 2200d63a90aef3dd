const place = "muster.theme";

/** Runs before the first paint, from a file of its own: the page allows no script inside it. */
export function applyTheme(): void {
  const theme = localStorage.getItem(place);
  if (theme !== null) document.documentElement.dataset.theme = theme;
}

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

/** The other one from now on; true if that is the dark one. */
export function switchTheme(): boolean {
  const theme = isDark() ? "light" : "dark";
  localStorage.setItem(place, theme);
  document.documentElement.dataset.theme = theme;
  return theme === "dark";
}
