import { ApiError } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { toDrop } from "../drops/items.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { askAgainIn, firstWithin, longPoll } from "../http/long-poll.ts";
import { type Operation, withToolOperation } from "../http/operation.ts";
import { ok } from "../http/response.ts";
import { requireStillAllowed, tokenOperation } from "../http/token-operation.ts";
import { canChange } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import type { ThreadState } from "./feedback.ts";
import { presentListed, untrustedNotice } from "./presenter.ts";
import { createQuoteLocator } from "./quote-locator.ts";
import { listFeedbackRoute, listFeedbackToolRow } from "./rows.ts";
import { type FeedbackListResponse, listedCharactersMax } from "./schemas.ts";
import { feedback } from "./store.ts";
import type { Written } from "./write-comment.ts";

/** Request to list the comments on an owner's drops. */
interface ListingRequest {
  readonly ownerId: string;
  /** Event number of the last comment that the owner has received. 0 if the owner has received none. */
  readonly since: number;
  /** Drop whose comments are listed. @default - all drops */
  readonly slug: string | undefined;
  /** State of the listed threads. @default - all threads */
  readonly state: ThreadState | undefined;
  readonly nowMs: number;
}

/** Comments with event numbers after `since`. */
interface FoundListing {
  readonly comments: FeedbackListResponse["comments"];
  /** Last event number that was read. The next request continues after this number. */
  readonly upTo: number;
  readonly hasMore: boolean;
}

/** Maximum number of comments in one response. */
const commentsMax = 50;

/** Maximum number of batch reads for one response. A batch reads 50 event numbers, most of whose comments may have been deleted. */
const roundsMax = 20;

/** Refuses a `since` that exceeds the last event number, and the slug of a drop that the owner does not have. */
async function requireListable({ ownerId, since, slug, nowMs }: ListingRequest, last: number) {
  if (since > last) {
    throw new ApiError("invalid_arg", {
      message: `since is ${since}, but the last comment of this account has the number ${last}. Send next_since of the last response, or leave out since to start with the first comment.`,
      details: { parameter: "since", last },
    });
  }
  if (slug !== undefined && (await publicDrops.findDrop(ownerId, slug, nowMs)) === undefined) {
    throw new ApiError("not_found", {
      message: `The account has no drop ${slug}. Leave out slug to list the comments on all drops.`,
      details: { parameter: "slug" },
    });
  }
}

/** Reads as many of the comments after `since` and up to `last` as fit into one response. */
async function findFeedback(asked: ListingRequest, last: number): Promise<FoundListing> {
  const { ownerId, since, nowMs } = asked;
  const matching: (Written & { readonly drop: Drop })[] = [];
  let upTo = since;
  for (let round = 0; round < roundsMax && upTo < last && matching.length < commentsMax; round += 1) {
    const count = Math.min(commentsMax, last - upTo);
    matching.push(...(await findMatching(asked, upTo, count)));
    upTo += count;
  }
  const findPassage = createQuoteLocator();
  const comments = await Promise.all(
    matching
      .slice(0, commentsMax)
      .map(async (one) =>
        presentListed(one, await findPassage({ slug: one.drop.slug, ...one.drop.latest }, one.thread)),
      ),
  );
  const fitting = firstWithin(comments, listedCharactersMax);
  const isCut = fitting.length < matching.length;
  const reached = isCut ? (fitting.at(-1)?.number ?? since) : upTo;
  return { comments: fitting, upTo: reached, hasMore: reached < last };

  async function findMatching({ slug, state }: ListingRequest, after: number, count: number) {
    const found = (await feedback.listAfter(ownerId, after, count)).filter(
      ({ thread }) =>
        (slug === undefined || thread.slug === slug) && (state === undefined || thread.state === state),
    );
    const drops = await findDrops(ownerId, new Set(found.map(({ thread }) => thread.slug)), nowMs);
    return found.flatMap((one) => {
      const drop = drops.get(one.thread.slug);
      return drop === undefined ? [] : [{ ...one, drop }];
    });
  }
}

/** Finds the drops with the given slugs, except drops that have expired or now belong to another account. */
async function findDrops(ownerId: string, slugs: ReadonlySet<string>, nowMs: number) {
  const items = slugs.size === 0 ? [] : await getItems([...slugs].map((slug) => keys.drop(ownerId, slug)));
  const found = items
    .map((item) => toDrop(item, undefined))
    .filter((drop) => canChange(drop, ownerId, nowMs));
  return new Map(found.map((drop) => [drop.slug, drop]));
}

/**
 * GET /api/feedback: lists comments on the caller's drops, in order, starting after a given event number. With `wait`,
 * responds at the next comment or at the end of the wait.
 */
export const listFeedback = withToolOperation(
  listingOperation(listFeedbackRoute),
  listingOperation(listFeedbackToolRow),
);

function listingOperation(route: typeof listFeedbackRoute | typeof listFeedbackToolRow): Operation {
  return tokenOperation(route, async ({ caller, query, request, nowMs }) => {
    const { since, slug, state, wait } = query;
    const asked = { ownerId: caller.userId, since, slug, state: state === "all" ? undefined : state, nowMs };
    const last = await feedback.last(caller.userId);
    await requireListable(asked, last.sequence);
    const outcome = await longPoll({
      caller: { id: request.requestId, ownerId: caller.userId },
      wait,
      nowMs,
      first: await findFeedback(asked, last.sequence),
      isSomething: ({ comments, hasMore }) => comments.length > 0 || hasMore,
      requireAccess: () => requireStillAllowed(route, request),
      readNext: async (found) => {
        const { sequence } = await feedback.last(caller.userId);
        return sequence > found.upTo ? findFeedback({ ...asked, since: found.upTo }, sequence) : found;
      },
    });
    const { comments, upTo, hasMore } = outcome.found;
    return ok({
      untrusted: untrustedNotice,
      comments,
      next_since: upTo,
      has_more: hasMore,
      ask_again_in_seconds: askAgainIn(outcome, last.atMs, nowMs),
    } satisfies FeedbackListResponse);
  });
}
