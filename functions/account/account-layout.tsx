import type { ComponentChildren } from "preact";
import { renderSignedInPage } from "../html/signed-in-layout.tsx";
import { text } from "../html/text.ts";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import accountStyle from "./account.css";
import { accountText } from "./account-text.ts";
import type { Done } from "./list-page.ts";

/** Props that every account page shares. */
interface AccountPageProps {
  readonly title: string;
  readonly nonce: string;
  readonly signedIn: SignedIn;
  readonly destination: PageDestination;
  /** @default - the page has no script */
  readonly script?: string | undefined;
  readonly children: ComponentChildren;
}

const parts = ["account", "files", "trash", "tokens"] as const;

/** The whole document of a page of an owner's own, with the way to the others. */
export function renderAccountPage({ children, ...props }: AccountPageProps): string {
  const { title, nonce, signedIn, destination, script } = props;
  const words = accountText.parts;
  return renderSignedInPage({
    title,
    nonce,
    username: signedIn.reader.identity.username,
    path: pagePath(destination),
    style: accountStyle,
    script,
    children: (
      <>
        <nav class="parts" aria-label={words.label}>
          {parts.map((part) => (
            <a key={part} href={pagePath({ page: part })} aria-current={currentOf(part, destination)}>
              {words[part]}
            </a>
          ))}
        </nav>
        {children}
      </>
    ),
  });
}

/** A drop's page is one of the first part's. */
function currentOf(part: (typeof parts)[number], { page }: PageDestination): "page" | "true" | undefined {
  if (part === page) return "page";
  return part === "account" && page === "drop" ? "true" : undefined;
}

/** The way through a list that is longer than a page. */
export function PageLinks({
  path,
  number,
  count,
}: {
  readonly path: string;
  readonly number: number;
  readonly count: number;
}) {
  const words = text.paging;
  if (count <= 1) return null;
  const hrefFor = (to: number) => (to === 1 ? path : `${path}?page=${to}`);
  return (
    <nav class="pages" aria-label={words.pages}>
      <span>
        {number > 1 && (
          <a href={hrefFor(number - 1)} rel="prev">
            {words.newer}
          </a>
        )}
      </span>
      <span>{words.pageOf(number, count)}</span>
      <span>
        {number < count && (
          <a href={hrefFor(number + 1)} rel="next">
            {words.older}
          </a>
        )}
      </span>
    </nav>
  );
}

/** Notice of the change that a form has made. */
export function DoneNotice({ done }: { readonly done: Done | undefined }) {
  if (done === undefined) return null;
  return (
    <p class="notice" role="status">
      {accountText.done[done]}
    </p>
  );
}
