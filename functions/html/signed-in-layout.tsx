import type { ComponentChildren } from "preact";
import { renderDocument } from "./document.tsx";
import { LeafMark } from "./icons.tsx";
import timesScript from "./local-times.client.ts?text";
import signedInStyle from "./signed-in.css";
import { text } from "./text.ts";

/** The parts of a page for a signed-in person. */
interface SignedInPageProps {
  readonly title: string;
  readonly nonce: string;
  /** The user name that the identity provider gave. */
  readonly username: string;
  /** The path of this page, to which another sign-in returns. */
  readonly path: string;
  /** The page's own rules, after the shared ones. @default - the shared rules only */
  readonly style?: string;
  /** Another script of the page, from its `.client.ts`. Every page shows local times. @default - none */
  readonly script?: string | undefined;
  readonly children: ComponentChildren;
}

/** Links in the head of signed-in pages. */
const places = [
  { path: "/library", label: "Library" },
  { path: "/account", label: "Your pages" },
] as const;

/** The document of a page for a signed-in person, with navigation, user name and sign-out. */
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
        {places.map(({ path: href, label }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
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

/** A link to another part of a list. */
interface ListLink {
  readonly href: string;
  readonly label: string;
}

interface ListLinksProps {
  /** Name of the group of links. */
  readonly label: string;
  /** @default - the first part */
  readonly previous?: ListLink | false | undefined;
  /** The part of the site that this page belongs to. @default - none */
  readonly place?: string | undefined;
  /** @default - the last part */
  readonly next?: ListLink | false | undefined;
}

/** Links to the parts of a list before and after this one. */
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
