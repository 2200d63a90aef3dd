/** What the search looks through: one entry for each section, its words as plain text. */
export function indexOf(pages) {
  return pages.flatMap(({ out, title, markdown, headings }) => {
    const sections = markdown.split(/^#{1,6} .+$/m).slice(1);
    return headings.map(({ text, id }, index) => ({
      page: title,
      title: text,
      at: index === 0 ? out : `${out}#${id}`,
      text: plain(sections[index] ?? ""),
    }));
  });
}

function plain(markdown) {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^```.*$/gm, " ")
    .replaceAll(/^> |[`*|]|---+/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
