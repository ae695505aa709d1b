import { ApiError, inBothWords, wordsFor } from "../core/errors.ts";
import { answersOf, areAnswersOn } from "../drops/drop-access.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { askAgainIn, firstWithin, longPoll } from "../http/long-poll.ts";
import { type Operation, withToolOperation } from "../http/operation.ts";
import { ok } from "../http/response.ts";
import { requireStillAllowed, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { presentAnswer, untrustedNotice } from "./presenter.ts";
import { listAnswersRoute, pageAnswersRow, readAnswersToolRow } from "./rows.ts";
import { listedCharactersMax } from "./schemas.ts";
import { answers, type FoundAnswers } from "./store.ts";

/** Maximum number of answers in one response. */
const answersMax = 100;

/** Number of answers that the page embedded in a chat shows. */
const newestMax = 20;

/** Handles the tool `page_answers`: lists the newest answers to all forms of a drop, newest first. */
const pageAnswers = tokenOperation(pageAnswersRow, async ({ caller, path: { slug }, nowMs }) => {
  await publicDrops.requireDrop(caller.userId, slug, nowMs);
  const [{ last }, found] = await Promise.all([
    answers.last(slug),
    answers.listNewest(slug, { limit: newestMax, nowMs }),
  ]);
  return ok(present({ answers: found.answers, upTo: last, hasMore: found.next !== undefined }, 0));
});

/**
 * GET /api/drops/{slug}/answers: lists answers to a drop's forms, in order, starting after a given number. With `wait`,
 * responds at the next answer or at the end of the wait.
 */
export const listAnswers = withToolOperation(
  listingOperation(listAnswersRoute),
  listingOperation(readAnswersToolRow),
  pageAnswers,
);

function listingOperation(route: typeof listAnswersRoute | typeof readAnswersToolRow): Operation {
  return tokenOperation(route, async ({ caller, path, query, request, nowMs }) => {
    const { slug } = path;
    const { since, wait } = query;
    const form = query.form || undefined;
    const drop = await publicDrops.requireDrop(caller.userId, slug, nowMs);
    const { last, atMs } = await answers.last(slug);
    if (since > last) throw noSuchNumber(since, last);
    const read = (after: number) => answers.list(slug, { form, since: after, limit: answersMax, nowMs });
    const outcome = await longPoll({
      caller: { id: request.requestId, ownerId: caller.userId },
      wait,
      nowMs,
      first: await read(since),
      isSomething: (found) => found.answers.length > 0 || found.hasMore,
      readNext: ({ upTo }) => read(upTo),
      requireAccess: async () => {
        await requireStillAllowed(route, request);
        await publicDrops.requireDrop(caller.userId, slug, Date.now());
      },
    });
    const response = ok(present(outcome.found, askAgainIn(outcome, atMs, nowMs)));
    const isOff = outcome.found.answers.length === 0 && answersOf(drop) === "off";
    return withWarnings(
      response,
      isOff ? [wordsFor(request.isToolCall ? "tool" : "http", answersAreOff())] : [],
    );
  });
}

function answersAreOff() {
  if (!areAnswersOn()) return "This service doesn't accept answers.";
  return inBothWords(
    (call) =>
      `Readers can't answer, because answers are off. To let them, ${call("use PATCH /api/drops/{slug}", "call edit_drop")} with {"answers": "readers"}.`,
  );
}

/** Builds a response with as many answers as fit, and the cursor for the next call. */
function present({ answers: found, upTo, hasMore }: FoundAnswers, askAgainInSeconds: number) {
  const listed = firstWithin(found.map(presentAnswer), listedCharactersMax);
  const isCut = listed.length < found.length;
  return {
    untrusted: untrustedNotice,
    answers: listed,
    next_since: isCut ? (listed.at(-1)?.number ?? upTo) : upTo,
    has_more: isCut || hasMore,
    ask_again_in_seconds: askAgainInSeconds,
  };
}

function noSuchNumber(since: number, last: number): ApiError {
  return new ApiError("invalid_arg", {
    message: `since is ${since}, but the last answer to this drop's forms has the number ${last}. Send next_since of the last response, or leave out since to start with the first answer.`,
    details: { parameter: "since", last },
  });
}
