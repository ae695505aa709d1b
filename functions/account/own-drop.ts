import { accessRequests } from "../access-requests/store.ts";
import { answerCounts } from "../answers/answer-counts.ts";
import { hasAccessRequests } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { answersOf } from "../drops/drop-access.ts";
import { trashDays } from "../drops/items.ts";
import { countOpenFeedback } from "../drops/owned-drops.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { drops } from "../drops/store.ts";
import type { Route } from "../http/route.ts";
import { comparisonUrl, dropUrl, feedbackUrl } from "../http/site.ts";
import { findPublishingAccounts } from "../people/teams.ts";
import { canMoveOut, type PublishingAccount } from "../policies/moves.ts";
import type { RenderResponse } from "../renders/schemas.ts";
import type { DropForm, SentForm } from "./drop-form.tsx";
import { type FoundReads, renderOwnDropPage } from "./drop-page.tsx";
import { changesSince, parseFormRevision, revisionField } from "./form-revision.ts";
import type { Done } from "./list-page.ts";
import { mayUse, type Owner, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";
import { deleteOwnDropRoute } from "./page-rows.ts";
import { type FormFields, problemOf } from "./problem.ts";
import { parsePlace, placeField, placeQuery, placeUrl, type ViewerPlace } from "./viewer-place.ts";

/** Input of a page that shows an owner's drop, or the answers to its forms. */
export type DropPageInput = Pick<OwnerInput<Route>, "nowMs" | "owner" | "path" | "signedIn" | "site">;

/** Reads an owner's drop, and returns the page's renderer. @throws ApiError `not_found` for a missing drop and for another owner's drop */
export async function ownDropPage(
  input: DropPageInput,
  state: {
    readonly sent?: (drop: Drop) => SentForm;
    readonly done?: Done | undefined;
    /** Location in the viewer from which the person opened the page. @default - none */
    readonly place?: ViewerPlace;
    /** Finds reader groups that have no member who has signed in. @default - no warning about groups */
    readonly findUnknownGroups?: (drop: Drop) => Promise<readonly string[]>;
    /** Finds the render report of the latest version. @default - no report */
    readonly findLooks?: (drop: Drop) => Promise<RenderResponse | undefined>;
    /** Finds the recorded reads of the drop. @default - no reads */
    readonly findReads?: (drop: Drop) => Promise<FoundReads | undefined>;
    /** True if the page offers to move the drop to another of the person's accounts. @default false */
    readonly offersMove?: boolean;
  },
): Promise<RenderPage> {
  const { owner, path, signedIn, site, nowMs } = input;
  const { slug } = path;
  const [drop, versions, openThreads, counts, proofOf] = await Promise.all([
    drops.find(owner.userId, slug),
    publicDrops.listVersions(slug),
    countOpenFeedback(slug),
    answerCounts.current(slug, nowMs),
    ownerProofs({ signedIn, owner }),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  const place = state.place ?? {};
  const answerCount = counts.reduce((sum, [, count]) => sum + count, 0);
  const [looks, reads, unknownGroups = [], requests = [], receivers] = await Promise.all([
    state.findLooks?.(drop),
    state.findReads?.(drop),
    state.findUnknownGroups?.(drop),
    hasAccessRequests() ? accessRequests.listOf(drop, nowMs) : undefined,
    state.offersMove ? findReceivers(input) : undefined,
  ]);
  return (nonce) =>
    renderOwnDropPage({
      signedIn,
      nowMs,
      drop,
      versions,
      url: dropUrl(site, drop.namespace, slug),
      feedback: { url: feedbackUrl(site, slug), openThreads },
      answerCount: answerCount > 0 || answersOf(drop) === "readers" ? answerCount : undefined,
      comparisonUrl: (to) => comparisonUrl(site, drop.namespace, slug, to),
      unknownGroups,
      receivers,
      mayDelete: mayUse(owner, deleteOwnDropRoute),
      requests,
      trashDays: trashDays(),
      proofOf,
      backUrl: placeUrl(site, drop, place),
      place: placeQuery(place),
      sent: state.sent?.(drop),
      done: state.done,
      looks,
      ...reads,
      nonce,
    });
}

/** Finds the accounts to which a person may move the owner's drops. */
async function findReceivers({ owner, signedIn }: DropPageInput): Promise<readonly PublishingAccount[]> {
  const accounts = await findPublishingAccounts(signedIn.reader);
  const giver = accounts.find(({ userId }) => userId === owner.userId);
  return giver !== undefined && canMoveOut(giver) ? accounts.filter((one) => one !== giver) : [];
}

/** Returns a function that renders the drop's page with a refused form, its submitted values and the problem. */
export function rerenderOwnDropPage(form: DropForm) {
  return (input: DropPageInput, fields: FormFields, error: ApiError): Promise<RenderPage> =>
    ownDropPage(input, {
      place: parsePlace(fields.get(placeField) ?? ""),
      offersMove: form === "move",
      sent: (drop) => ({
        form,
        fields,
        problem: problemOf(error, fields),
        changes:
          error.code === "precondition_failed"
            ? changesSince(parseFormRevision(fields.get(revisionField)), drop)
            : [],
      }),
    });
}

/** Ignores a `precondition_failed` error if the drop already has the requested state, for example after a double click. */
export async function alreadyDone(
  error: unknown,
  { userId }: Owner,
  slug: string,
  isAsAsked: (drop: Drop) => boolean | Promise<boolean>,
): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== "precondition_failed") throw error;
  const drop = await drops.find(userId, slug);
  if (drop === undefined || !(await isAsAsked(drop))) throw error;
}
