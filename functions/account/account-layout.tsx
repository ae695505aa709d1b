import type { ComponentChildren } from "preact";
import { formatCounted } from "../html/format.tsx";
import { Emblem } from "../html/icons.tsx";
import { ListLinks, renderSignedInPage } from "../html/signed-in-layout.tsx";
import { text } from "../html/text.ts";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import accountStyle from "./account.css";
import { AccountSwitch } from "./account-switch.tsx";
import { ProblemNotice } from "./form.tsx";
import { type Done, doneNotices, type ListPage } from "./list-page.ts";
import type { Problem } from "./problem.ts";

interface AccountPageProps {
  readonly title: string;
  readonly nonce: string;
  readonly signedIn: SignedIn;
  readonly destination: PageDestination;
  /** Additional script of the page. @default - none */
  readonly script?: string | undefined;
  readonly children: ComponentChildren;
}

const parts = { account: "Pages", files: "Files", trash: "Trash", tokens: "Tokens", team: "People" } as const;

type Part = keyof typeof parts;

/** Renders the document of an owner's page, with links to the other parts of the account pages. */
export function renderAccountPage({ children, ...props }: AccountPageProps): string {
  const { title, nonce, signedIn, destination, script } = props;
  return renderSignedInPage({
    title,
    nonce,
    username: signedIn.reader.identity.username,
    path: pagePath(destination),
    style: accountStyle,
    script,
    children: (
      <>
        {signedIn.acting && <AccountSwitch signedIn={signedIn} destination={destination} />}
        <nav class="parts" aria-label="Your account">
          {(Object.keys(parts) as Part[])
            .filter((part) => part !== "team" || signedIn.acting?.team !== undefined)
            .map((part) => (
              <a key={part} href={pagePath({ page: part })} aria-current={currentOf(part, destination)}>
                {parts[part]}
              </a>
            ))}
        </nav>
        {children}
      </>
    ),
  });
}

/** Returns the `aria-current` value of a navigation link. On a page about one drop, the link to the list of drops is current. */
function currentOf(part: Part, { page }: PageDestination): "page" | "true" | undefined {
  if (part === page) return "page";
  return part === "account" && (page === "drop" || page === "answers") ? "true" : undefined;
}

/** Result of a submitted form, to show on an owner's page. */
export interface PageState {
  /** The change that the form made. @default - no change */
  readonly done?: Done | undefined;
  /** The problem with a refused form. @default - no problem */
  readonly problem?: Problem | undefined;
}

/** Props shared by the pages that list an owner's items. */
export interface ItemsPageProps extends PageState {
  readonly signedIn: SignedIn;
  readonly proofOf: (path: string) => string;
  readonly nonce: string;
}

interface ListFrameProps extends PageState {
  readonly heading: string;
  /** Noun for one item of the list. */
  readonly item: "file" | "page" | "token";
  readonly total: number;
  /** Text shown if the list is empty. */
  readonly empty: string;
  /** Content to show above the list. @default - none */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** List of an owner's files, pages or tokens, with a heading, the number of items, and notices. */
export function ListFrame({ heading, item, total, empty, done, problem, above, children }: ListFrameProps) {
  return (
    <>
      <div class="heading">
        <h1>{heading}</h1>
        {total > 0 && <p class="quiet">{formatCounted(total, item)}</p>}
      </div>
      <DoneNotice done={done} />
      {problem && <ProblemNotice problem={problem} />}
      {above}
      {total === 0 ? (
        <div class="empty">
          <Emblem sign="missing" />
          <p class="quiet">{empty}</p>
        </div>
      ) : (
        <ul class="own sprig">{children}</ul>
      )}
    </>
  );
}

/** Links to the previous and next page of a long list. */
export function PageLinks({
  path,
  number,
  count,
}: { readonly path: string } & Pick<ListPage<unknown>, "number" | "count">) {
  const words = text.paging;
  if (count <= 1) return null;
  const hrefFor = (to: number) => (to === 1 ? path : `${path}?page=${to}`);
  return (
    <ListLinks
      label={words.pages}
      previous={number > 1 && { href: hrefFor(number - 1), label: words.newer }}
      place={words.pageOf(number, count)}
      next={number < count && { href: hrefFor(number + 1), label: words.older }}
    />
  );
}

/** Notice that confirms a change made with a form. */
export function DoneNotice({ done }: { readonly done: Done | undefined }) {
  if (done === undefined) return null;
  return (
    <p class="notice" role="status">
      {doneNotices[done]}
    </p>
  );
}
