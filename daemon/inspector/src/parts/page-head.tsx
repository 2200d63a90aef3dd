import { Icon } from "@muster/web-parts";

/** The head of a page that is no session; on a phone its arrow leads back to the list. */
export function PageHead({ title }: { title: string }) {
  return (
    <header class="head">
      <BackLink />
      <h1>{title}</h1>
    </header>
  );
}

export function BackLink() {
  return (
    <a class="back button quiet" href="#/" aria-label="All sessions">
      <Icon name="back" />
    </a>
  );
}
