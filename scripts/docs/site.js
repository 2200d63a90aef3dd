/* Menu, colours, copying, and a search that works from a file on disk: the index is a script, not a request. */
const root = document.documentElement;
const base = root.dataset.base;
const find = (id) => document.getElementById(id);

const remembered = read("theme");
if (remembered) root.dataset.theme = remembered;
find("theme").addEventListener("click", () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // A browser that keeps nothing for files on disk: it holds for this page.
  }
});

find("menu").addEventListener("click", ({ currentTarget }) => {
  const isOpen = document.querySelector("nav").classList.toggle("open");
  currentTarget.setAttribute("aria-expanded", String(isOpen));
});

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.nextElementSibling.textContent);
    button.textContent = "copied";
    setTimeout(() => {
      button.textContent = "copy";
    }, 1500);
  });
}

const search = find("search");
const results = find("results");
let loading;
search.addEventListener("focus", () => loadIndex());
search.addEventListener("input", async () => {
  await loadIndex();
  show(search.value.trim());
});
search.addEventListener("keydown", (event) => {
  const links = [...results.querySelectorAll("a")];
  const at = links.findIndex((link) => link.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") results.hidden = true;
  else if (event.key === "Enter") (links[at] ?? links[0])?.click();
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = (at + (event.key === "ArrowDown" ? 1 : -1) + links.length) % links.length;
    for (const [index, link] of links.entries()) link.setAttribute("aria-selected", String(index === next));
    links[next]?.scrollIntoView({ block: "nearest" });
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "")) return;
  event.preventDefault();
  search.focus();
});
document.addEventListener("click", ({ target }) => {
  if (target !== search && !results.contains(target)) results.hidden = true;
});

function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}search.js`;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

/** Every word must be there; a title counts more than a text. */
function show(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  const found = window.searchIndex
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20);
  results.replaceChildren(...(found.length > 0 ? found.map(({ entry }) => resultOf(entry, words[0])) : [nothing()]));
}

function scoreOf({ page, title, text }, words) {
  let score = 0;
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word) || page.toLowerCase().includes(word);
    const count = text.toLowerCase().split(word).length - 1;
    if (!inTitle && count === 0) return 0;
    score += (inTitle ? 10 : 0) + Math.min(count, 5);
  }
  return score;
}

function resultOf({ page, title, at, text }, word) {
  const link = document.createElement("a");
  link.href = `${base}${at}`;
  link.className = "result";
  link.append(page === title ? title : `${page} › ${title}`);
  const from = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  const around = document.createElement("small");
  around.append(`${from > 0 ? "…" : ""}${text.slice(from, from + 140)}`);
  link.append(around);
  return link;
}

function nothing() {
  const text = document.createElement("p");
  text.append("Nothing found.");
  return text;
}

function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
