/** Who publishes the packages and where people find them: in every manifest, and in the links of every README. */

const place = process.env.GITHUB_REPOSITORY ?? "muster-dev/muster";
const server = process.env.GITHUB_SERVER_URL ?? "https://github.com";

/** `npm publish --provenance` compares it with the repository that signs, which the workflow names. */
const repository = `${server}/${place}`;

const words = ["coding-agent", "agent", "ai", "claude-code", "codex", "opencode", "amp", "codebuff"];

/** The fields that every published manifest has. */
export function projectFields(room) {
  return {
    keywords: words,
    homepage: "https://muster.dev",
    bugs: { url: `${repository}/issues` },
    repository: { type: "git", url: `git+${repository}.git`, directory: room },
    author: "The Muster authors",
  };
}

/** Links of a README as they work outside of the repository, too. */
export function withAbsoluteLinks(text, { room, version }) {
  return text.replaceAll(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_, target) => {
    const [path, hash = ""] = target.split(/(?=#)/);
    const whole = new URL(path, `file:///${room}/`).pathname.slice(1);
    return `](${repository}/blob/v${version}/${whole}${hash})`;
  });
}
