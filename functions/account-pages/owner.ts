import { ApiError } from "../platform/errors.ts";
import type { Operation } from "../platform/operation.ts";
import { page } from "../platform/page-operation.ts";
import type { HttpResponse } from "../platform/response.ts";
import type { Route } from "../platform/route.ts";
import type { PageDestination } from "../readers/destination.ts";
import { type SignedIn, type SignedInInput, signedInPage } from "../readers/signed-in-page.ts";
import { renderNoAccountPage } from "./no-account-page.tsx";

/** Whose pages, files and tokens these are. */
export interface Owner {
  readonly userId: string;
  readonly namespace: string;
}

/** What a page of an owner's works with. */
export type OwnerInput<Row extends Route> = SignedInInput<Row> & { readonly owner: Owner };

/** A page for who has signed in and has an account; who has none learns how one comes about. */
export function ownerPage<Row extends Route>(
  route: Row,
  pageOf: (input: Pick<SignedInInput<Row>, "path">) => PageDestination,
  run: (input: OwnerInput<Row>) => Promise<HttpResponse>,
): Operation {
  return signedInPage(route, pageOf, async (input) => {
    const owner = ownerOf(input.signedIn);
    if (owner !== undefined) return run({ ...input, owner });
    const render = noAccountPage(input, pageOf(input));
    return page("sign-in", render);
  });
}

/**
 * The owner that somebody is: who has an account and is a member. Who is none any more has an account as well, and changes
 * nothing by it: docs/adr/0045-an-owners-own-pages.md.
 */
export function ownerOf({ reader: { userId, namespace, isMember } }: SignedIn): Owner | undefined {
  return isMember && userId !== undefined && namespace !== undefined ? { userId, namespace } : undefined;
}

/** The refusal of a form of who is no owner here, or no more. */
export function withoutAccount(
  input: Pick<SignedInInput<Route>, "signedIn" | "site">,
  destination: PageDestination,
): ApiError {
  return new ApiError("forbidden", { renderPage: noAccountPage(input, destination) });
}

function noAccountPage(
  { signedIn, site }: Pick<SignedInInput<Route>, "signedIn" | "site">,
  destination: PageDestination,
): (nonce: string) => string {
  const { baseUrl } = site;
  return (nonce) => renderNoAccountPage({ signedIn, baseUrl, destination, nonce });
}
