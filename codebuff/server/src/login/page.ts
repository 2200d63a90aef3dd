import type { Tables } from "../database/tables.ts";

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 10vh auto; padding: 0 1rem; }
  .code { font: 700 2rem/1.2 ui-monospace, monospace; letter-spacing: .1em; }
  .warning { border-left: 4px solid #c60; padding-left: .75rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
  dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
  button, input { font: inherit; padding: .5rem 1rem; border-radius: .4rem; border: 1px solid #8888; }
  input { width: 100%; box-sizing: border-box; margin: .25rem 0 .75rem; }
  button.approve { background: #165; color: #fff; }
  form { display: flex; gap: .75rem; flex-wrap: wrap; }
  label { width: 100%; }
`;

export interface Form {
  readonly id: string;
  readonly csrf: string;
}

/** Who a person is comes first: an API key pasted here becomes a session of this browser. */
export function signInPage({ id, csrf }: Form, problem?: string): string {
  return page(
    "Sign in",
    `<h1>Sign in</h1>
    <p>A terminal wants to sign in to Codebuff. First say who you are: paste an API key of your account.</p>
    ${problem === undefined ? "" : `<p class="warning" role="alert">${escapeHtml(problem)}</p>`}
    <form method="post" action="/login/session">
      ${hiddenFields({ id, csrf })}
      <label>API key <input name="key" type="password" autocomplete="off" required></label>
      <button class="approve">Sign in</button>
    </form>`,
  );
}

/** Everything a person needs to tell their own terminal from somebody else's. */
export function confirmPage(
  { id, csrf }: Form,
  login: Pick<Tables["cli_login"], "code" | "address" | "fingerprint_id" | "created_at" | "shows_code">,
  { email, now }: { email: string; now: number },
): string {
  const minutes = Math.floor((now - login.created_at) / 60_000);
  return page(
    "Approve sign-in",
    `<h1>Approve this sign-in?</h1>
    <p>A terminal asks to act as <strong>${escapeHtml(email)}</strong>. It should show this code:</p>
    <p class="code" data-testid="code">${escapeHtml(login.code)}</p>
    <dl>
      <dt>Device</dt><dd>${escapeHtml(login.fingerprint_id)}</dd>
      <dt>Address</dt><dd>${escapeHtml(login.address)}</dd>
      <dt>Asked</dt><dd>${minutes === 0 ? "less than a minute" : `${minutes} min`} ago</dd>
    </dl>
    <p class="warning">Approve only if you started this yourself, just now. Nobody from Codebuff will ever send you such a link.</p>
    ${login.shows_code === 1 ? "" : '<p class="warning" data-testid="no-code">This terminal does not show a code, so you cannot compare it: be sure that the device and the address are yours.</p>'}
    <form method="post" action="/login/decision">
      ${hiddenFields({ id, csrf })}
      <button class="approve" name="decision" value="approve">Approve</button>
      <button name="decision" value="deny">Deny</button>
    </form>`,
  );
}

export function messagePage(title: string, text: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Codebuff</title>
<style>${style}</style></head>
<body>${body}</body>
</html>
`;
}

function hiddenFields(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The style is the only thing on the page that is not text; it is allowed by its hash. */
export const pageStyle = style;
