import type { ComponentChildren } from "preact";
import { renderDocument } from "../platform/html/document.tsx";
import { LeafMark } from "../platform/html/icons.tsx";
import { signedInText } from "../platform/html/signed-in-text.ts";
import { text } from "../platform/html/text.ts";
import { type PageDestination, presentDestination } from "./destination.ts";
import signedInStyle from "./signed-in.css";
import type { SignedIn } from "./signed-in-page.ts";

/** What every page has for who has signed in. */
interface SignedInPageProps {
  readonly title: string;
  readonly nonce: string;
  readonly signedIn: SignedIn;
  /** This page, to which signing in again leads back. */
  readonly destination: PageDestination;
  /** The page's own rules, after the shared ones. @default - the shared rules only */
  readonly style?: string;
  readonly children: ComponentChildren;
}

/** Where the head of each of these pages leads. */
const places = [
  { path: "/library", label: signedInText.head.library },
  { path: "/account", label: signedInText.head.own },
] as const;

/** The whole document of a page for who has signed in: where they are, who they are, and the way out. */
export function renderSignedInPage(props: SignedInPageProps): string {
  const { title, nonce, style = "", children } = props;
  return renderDocument({
    title: `${title} · ${text.product}`,
    nonce,
    style: signedInStyle + style,
    layout: "signed-in-page",
    children: (
      <>
        <Head {...props} />
        <main>{children}</main>
      </>
    ),
  });
}

function Head({ signedIn, destination }: SignedInPageProps) {
  const words = signedInText.head;
  const { username } = signedIn.reader.identity;
  return (
    <header class="head">
      <a class="brand" href="/">
        <LeafMark />
        {text.product}
      </a>
      <nav aria-label={words.places}>
        {places.map(({ path, label }) => (
          <a key={path} href={path}>
            {label}
          </a>
        ))}
      </nav>
      <form class="standing" method="post" action="/login/sign-out">
        <input type="hidden" name="to" value={presentDestination(destination)} />
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
