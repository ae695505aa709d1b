import type { ComponentChildren } from "preact";
import { renderDocument } from "./document.tsx";
import { LeafMark } from "./icons.tsx";
import timesScript from "./local-times.client.ts?text";
import signedInStyle from "./signed-in.css";
import { text } from "./text.ts";

interface SignedInPageProps {
  readonly title: string;
  readonly nonce: string;
  readonly username: string;
  /** Path of this page. People return to it after signing out and in again. */
  readonly path: string;
  /** The page's own style rules, which follow the shared rules. @default - only the shared rules */
  readonly style?: string;
  /** The page's own script, from its `.client.ts` file, besides the script for local times. @default - none */
  readonly script?: string | undefined;
  readonly children: ComponentChildren;
}

/** Renders a page for a signed-in person, with navigation, user name and sign-out button. */
export function renderSignedInPage(props: SignedInPageProps): string {
  const { title, nonce, style = "", script = "", children } = props;
  return renderDocument({
    title: `${title} · ${text.product}`,
    nonce,
    style: signedInStyle + style,
    script: timesScript + script,
    layout: "signed-in-page",
    children: (
      <>
        <Head {...props} />
        <main>{children}</main>
      </>
    ),
  });
}

function Head({ username, path }: SignedInPageProps) {
  return (
    <header class="head">
      <a class="brand" href="/">
        <LeafMark />
        {text.product}
      </a>
      <nav aria-label="Main">
        <a href="/library">Library</a>
        <a href="/account">Your pages</a>
      </nav>
      <form class="standing" method="post" action="/login/sign-out">
        <input type="hidden" name="to" value={path} />
        <span class="who">
          <span class="unseen">{text.reader.signedInAs} </span>
          <bdi>{username}</bdi>
        </span>
        <button class="plain" type="submit">
          {text.reader.signOut}
        </button>
      </form>
    </header>
  );
}

interface ListLinksProps {
  /** Accessible name of the group of links. */
  readonly label: string;
  /** Link to the previous page of the list. @default - this is the first page */
  readonly previous?: { readonly href: string; readonly label: string } | false | undefined;
  /** Position of this page in the list, such as "2 of 5". @default - none */
  readonly place?: string | undefined;
  /** Link to the next page of the list. @default - this is the last page */
  readonly next?: ListLinksProps["previous"];
}

/** Links to the previous and the next page of a list. */
export function ListLinks({ label, previous, place, next }: ListLinksProps) {
  if (!previous && !next) return null;
  return (
    <nav class="pages" aria-label={label}>
      <span>
        {previous && (
          <a href={previous.href} rel="prev">
            {previous.label}
          </a>
        )}
      </span>
      {place !== undefined && <span>{place}</span>}
      <span>
        {next && (
          <a href={next.href} rel="next">
            {next.label}
          </a>
        )}
      </span>
    </nav>
  );
}
