import { createHash } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { findFolderPage } from "../drops/page-objects.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { isFormProof, proofField } from "../http/form-proof.ts";
import type { OperationInput } from "../http/operation.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { seeOther, toApiError } from "../http/response.ts";
import { requireOwnPage } from "../http/site.ts";
import { signInPath } from "../identity/destination.ts";
import { readerActor } from "../table/audit.ts";
import {
  type Draft,
  type FieldName,
  type Problem,
  parseRegion,
  readDraft,
  requireValidDraft,
} from "./draft.ts";
import type { NewComment } from "./feedback.ts";
import { authorOf, type FoundFeedback, feedbackPath, findFeedbackDrop, writerOf } from "./feedback-drop.ts";
import { feedbackText } from "./feedback-text.ts";
import { countComment } from "./feedback-tries.ts";
import { viewFeedback } from "./feedback-view.ts";
import { sendFeedbackRoute } from "./page-rows.ts";
import { feedback } from "./store.ts";
import { renderUnsentCommentPage } from "./unsent-comment-page.tsx";
import type { WriteOutcome } from "./write-comment.ts";

const words = feedbackText.problems;

/** POST /p/{slug}/feedback: stores a reader's comment once, even if sent twice. After an error, shows the form again. */
export const sendFeedback = pageOperation(sendFeedbackRoute, async (input) => {
  const { request, path, query, body, site, nowMs } = input;
  const { slug } = path;
  requireOwnPage(request, site);
  const fields = parseForm(body);
  const draft = readDraft(fields);
  const isPanel = query.panel === "1";
  const to = feedbackPath(slug, query.v || undefined);
  const [latest, pinned] = await Promise.all([
    findFeedbackDrop({ request, slug, to, pinned: undefined, nowMs }).catch((error: unknown) => {
      const isMissing = error instanceof ApiError && error.code === "not_found";
      throw isMissing ? missing(draft, signInPath(to)) : error;
    }),
    query.v ? publicDrops.findVersion(slug, query.v) : undefined,
  ]);
  if (latest.kind === "gate") {
    const renderPage = (nonce: string) => renderUnsentCommentPage({ why: "locked", draft, url: to, nonce });
    throw new ApiError("forbidden", { message: feedbackText.unsent.lead.locked, renderPage });
  }
  // If the commented version was deleted in the meantime, the comment is stored for the latest version.
  const found = pinned === undefined ? latest : { ...latest, ...pinned };
  try {
    if (!(await isFormProof(found.session ?? "", request.path, fields.get(proofField) ?? "")))
      throw unproven(found);
    const author = authorOf(found, draft, () => unproven(found));
    requireValidDraft(draft, author.kind === "named");
    const { text } = draft;
    const comment = { author, text, version: found.version, atMs: nowMs };
    const outcome = await write(input, found, { draft, comment, formId: formIdOf(fields, draft) });
    if (outcome.kind === "missing") throw new ApiError("not_found", { message: words.threadGone });
    const place =
      outcome.kind === "written"
        ? `#t${outcome.written.thread.thread}-${outcome.written.comment.comment}`
        : draft.thread === undefined
          ? ""
          : `#t${draft.thread}`;
    return { ...seeOther(feedbackPath(slug, query.v || undefined, isPanel) + place), wrote: { slug } };
  } catch (thrown) {
    throw await shownAgain(input, found, draft, thrown);
  }
});

/**
 * Error for a drop that is missing or that the reader may not read. The response is the same in both cases. It shows the reader's own
 * comment again, and nothing about the drop.
 */
function missing(draft: Draft, url: string): ApiError {
  if (draft.text === "" && draft.quote === "") return new ApiError("not_found");
  return new ApiError("not_found", {
    renderPage: (nonce) => renderUnsentCommentPage({ why: "missing", draft, url, nonce }),
  });
}

/**
 * Counts the comment against the rate limits before the write, so that concurrent comments cannot exceed the limits. A
 * failed write undoes the count.
 */
async function write(
  { request, nowMs, act }: Pick<OperationInput<typeof sendFeedbackRoute>, "request" | "nowMs" | "act">,
  found: FoundFeedback,
  sent: { readonly draft: Draft; readonly comment: NewComment; readonly formId: string },
): Promise<WriteOutcome> {
  const { draft, comment, formId } = sent;
  const beginsThread = draft.thread === undefined;
  const path = beginsThread && found.folder ? await findFolderPage(found.pageKey, draft.path) : undefined;
  const undoCount = await countComment(request, found, { beginsThread, nowMs });
  const { slug, ownerId } = found.drop;
  const by = found.reader === undefined ? act : { ...act, actor: readerActor(found.reader) };
  const passage = {
    quote: draft.quote || undefined,
    selector: draft.selector || undefined,
    region: parseRegion(draft.region),
    path,
  };
  const outcome = await (beginsThread
    ? feedback.begin({ ownerId, slug }, { ...comment, ...passage }, by, { formId })
    : feedback.reply({ ownerId, slug }, draft.thread, comment, by, { formId })
  ).catch(async (error: unknown) => {
    await undoCount();
    throw error;
  });
  if (outcome.kind !== "written") await undoCount();
  return outcome;
}

/** Computes an id from a form and its content, so that the id changes if the browser restores a sent form and the reader edits it. */
function formIdOf(fields: URLSearchParams, draft: Draft): string {
  return createHash("sha256")
    .update(JSON.stringify([fields.get("form") ?? "", draft]))
    .digest("base64url");
}

function unproven(found: FoundFeedback): ApiError {
  const writer = writerOf(found);
  if (writer.kind === "barred") return new ApiError("forbidden", { message: feedbackText.barred });
  const isSignedOut = writer.kind === "nobody";
  return new ApiError("forbidden", {
    message: isSignedOut ? words.signedOut : words.stale,
    details: { reason: isSignedOut ? "signed_out" : "stale_form" },
  });
}

/** Adds the form with the reader's input to an error. Returns server errors, and errors without a page to show, unchanged. */
async function shownAgain(
  input: OperationInput<typeof sendFeedbackRoute>,
  found: FoundFeedback,
  draft: Draft,
  thrown: unknown,
): Promise<unknown> {
  const error = toApiError(thrown);
  if (error.code === "internal_error") return thrown;
  const problem = problemOf(error);
  // If the thread was deleted, the reader can send the reply as a new thread.
  const kept = error.code === "not_found" ? { ...draft, thread: undefined } : draft;
  const isPanel = input.query.panel === "1";
  const asked = { part: 1, thread: kept.thread, isPanel };
  const view = await viewFeedback(input, found, asked, { draft: kept, problem })
    .catch(() =>
      viewFeedback(
        input,
        found,
        { ...asked, thread: undefined },
        { draft: { ...kept, thread: undefined }, problem },
      ),
    )
    .catch((failed: unknown) => (error.code === "unavailable" ? undefined : Promise.reject(failed)));
  const { message, details, retryAfterSeconds, cause } = error;
  return new ApiError(error.code, {
    message: problem.message,
    details,
    cause: cause ?? message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(view === undefined
      ? {}
      : { renderPage: view.render, frames: view.frames, pageKind: "feedback" as const }),
  });
}

/** Converts an error to the problem that the comment's author sees. */
function problemOf({ code, message, details, retryAfterSeconds = 1 }: ApiError): Problem {
  switch (code) {
    case "rate_limited": {
      const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
      return { message: details.limit_of === "reader" ? words.wait(minutes) : words.waitForOthers(minutes) };
    }
    case "quota_exceeded":
      return { message: details.comments_max === undefined ? words.manyThreads : words.manyComments };
    case "unavailable":
      return { message: words.busy };
    case "forbidden":
      return { message, isStale: details.reason === "stale_form" };
    default:
      return { message, field: details.field as FieldName | undefined };
  }
}
