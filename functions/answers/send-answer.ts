import { createHash, randomBytes } from "node:crypto";
import { ApiError, type ApiErrorOptions } from "../core/errors.ts";
import { answersPath } from "../drops/answer-forms.ts";
import { answersOf } from "../drops/drop-access.ts";
import { identifyBrowser } from "../gate/gate.ts";
import { findVersionForReader } from "../gate/readable-version.ts";
import { formatDay } from "../html/format.tsx";
import { page } from "../html/page.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery, pageOperation, prefersPage } from "../http/page-operation.ts";
import { parseForm, singleHeader } from "../http/request.ts";
import { type HttpResponse, ok, toApiError } from "../http/response.ts";
import { fetchDestination, refuseForeignPages, requestedPath, requireOwnPage } from "../http/site.ts";
import { signInPath } from "../identity/destination.ts";
import type { Reader } from "../people/find-reader.ts";
import { readerActor } from "../table/audit.ts";
import { hashSecret } from "../table/identifiers.ts";
import { type AnswerPageProps, answerField, renderAnswerPage, renderOutcomePage } from "./answer-page.tsx";
import { countAnswer } from "./answer-tries.ts";
import { findForm } from "./answered-page.ts";
import type { AnswerAuthor } from "./answers.ts";
import { answersText } from "./answers-text.ts";
import { sendAnswerRoute } from "./page-rows.ts";
import { readAnswer } from "./sent-answer.ts";
import { answerEndMs, answers } from "./store.ts";

type Input = OperationInput<typeof sendAnswerRoute>;

/** A sent answer. If it was sent from the service's own page, includes the reader's choice. */
interface Sent {
  /** Answer as the published page sent it, in `application/x-www-form-urlencoded`. */
  readonly text: string;
  /** The reader's choice to send with or without their name. @default - none, because the published page sent the answer */
  readonly as: "name" | "none" | undefined;
  /** User name that the pressed button showed. */
  readonly username: string;
  readonly formId: string;
}

const words = answersText;

/**
 * POST /p/{slug}/answers: stores an answer to a form of the page. A published page never adds the reader's name. A signed-in reader chooses
 * whether to add it, on the service's own page or in the viewer. A published page can frame neither the viewer nor the service's own page,
 * so it cannot press their buttons.
 */
export const sendAnswer = pageOperation(sendAnswerRoute, async (input) => {
  const { request, query, body, site } = input;
  const sent = readSent(parseForm(body), query.as);
  if (sent.as !== undefined) requireOwnPage(request, site);
  const sender = sent.as === undefined ? senderOf(input) : "own";
  // A form in a sandboxed window sends no cookies, so the service's own page sends the answer again with cookies.
  if (sender === "window") return choicePage(input, sent);
  try {
    return await store(input, sent, sender);
  } catch (thrown) {
    throw refused(input, sent, thrown);
  }
});

/**
 * Source of a published page's answer. `own`: a script of the viewer or of the page on its own host, or a program.
 * `window`: a form in a window on the base host. `frame`: a form in a frame without scripts. Another site may contain
 * the frame, so the answer is treated as anonymous.
 */
type Sender = "own" | "window" | "frame";

/**
 * Determines the source of an answer.
 *
 * @throws ApiError `forbidden` for scripts of other pages, and for framed forms sent without a user's click (`Sec-Fetch-User`)
 */
function senderOf({ request, host, site }: Input): Sender {
  const destination = fetchDestination(request);
  const isBase = host.kind === "base";
  // Browsers from before 2023 send no Sec-Fetch-Dest for windows.
  if (isBase && (destination === "window" || (destination === "untold" && prefersPage(request))))
    return "window";
  if (isBase && destination === "frame") {
    if (singleHeader(request, "sec-fetch-user") === "?1") return "frame";
    throw new ApiError("forbidden", framed(words.problems.framed));
  }
  refuseForeignPages(sendAnswerRoute, request, site);
  return "own";
}

function readSent(fields: URLSearchParams, as: Sent["as"]): Sent {
  if (as === undefined) return { text: fields.toString(), as, username: "", formId: "" };
  const read = (name: string) => fields.get(name) ?? "";
  return { text: read(answerField), as, username: read("username"), formId: read("form") };
}

async function store(input: Input, sent: Sent, sender: Sender): Promise<HttpResponse> {
  const { request, host, path, query, nowMs, act } = input;
  const { slug } = path;
  const found = await findVersionForReader({ request, host, slug, pinned: query.v, nowMs });
  if (found.kind === "base-host") throw new ApiError("not_found");
  if (found.kind === "gate") {
    const message = sender === "frame" ? words.problems.framed : words.problems.locked;
    throw new ApiError("forbidden", { message });
  }
  const { drop, reader } = found;
  if (answersOf(drop) === "off") throw new ApiError("forbidden", { message: words.problems.off });
  const form = await findForm(found, query);
  const fields = readAnswer(new URLSearchParams(sent.text), form);
  const choice = chooseAuthor(sent, reader);
  if (choice.kind === "ask")
    return askForChoice(input, sent, { ...choice, about: { title: drop.title, owner: drop.namespace } });
  const { author } = choice;
  const browser = sender === "own" ? identifyBrowser(request, slug) : undefined;
  const browserPerson = browser && `browser#${hashSecret(browser.id)}`;
  const identity = author.kind === "reader" ? author.identity : undefined;
  // A signed-in reader has one answer in total, with or without their name.
  const [person, otherPerson] =
    identity === undefined ? [browserPerson, reader && identityOf(reader)] : [identity, browserPerson];
  const undoCount = await countAnswer(request, { slug, form: form.name, sender: identity, nowMs });
  const outcome = await answers
    .send(
      { ownerId: drop.ownerId, slug },
      {
        form: form.name,
        fields,
        version: found.version,
        path: query.path,
        author,
        person,
        otherPerson,
        isMany: form.isMany,
        atMs: nowMs,
      },
      author.kind === "reader" && reader ? { ...act, actor: readerActor(reader) } : act,
      { formId: sent.formId === "" ? undefined : formIdOf(sent) },
    )
    .catch(async (error: unknown) => {
      await undoCount();
      throw error;
    });
  if (outcome.kind !== "written") await undoCount();
  if (outcome.kind === "missing") throw new ApiError("not_found");
  const isReplacement = outcome.kind === "written" && outcome.replaced.length > 0;
  const untilMs = Math.min(
    drop.expiresAtMs ?? Number.POSITIVE_INFINITY,
    answerEndMs(nowMs) ?? Number.POSITIVE_INFINITY,
  );
  const message = form.isMany
    ? words.sentMany
    : words.sent(Number.isFinite(untilMs) ? formatDay(untilMs) : undefined, isReplacement);
  const response = presentSent(input, message);
  return { ...response, cookies: browser?.cookies ?? [], wrote: { slug } };
}

type Choice =
  | { readonly kind: "author"; readonly author: AnswerAuthor }
  /** The reader has to choose whether to add their name before the answer is stored. */
  | { readonly kind: "ask"; readonly username: string | undefined; readonly problem?: string };

function chooseAuthor({ as, username }: Sent, reader: Reader | undefined): Choice {
  if (reader?.isBarred) throw new ApiError("forbidden", { message: words.problems.barred });
  if (as === "none" || (as === undefined && reader === undefined))
    return { kind: "author", author: { kind: "stranger" } };
  if (reader === undefined) return { kind: "ask", username: undefined, problem: words.problems.signedOut };
  const { username: present } = reader.identity;
  // Adds the name only if the pressed button showed the same name.
  if (as === "name" && username === present)
    return { kind: "author", author: { kind: "reader", name: present, identity: identityOf(reader) } };
  return {
    kind: "ask",
    username: present,
    ...(as === "name" && username !== "" ? { problem: words.problems.stale } : {}),
  };
}

/** Returns the stable id of a reader at the identity provider. */
function identityOf({ identity: { provider, id } }: Reader): string {
  return `${provider}#${id}`;
}

/** Computes an id from a shown form and its answer, so that the id changes if the reader edits the form. */
function formIdOf({ formId, text, as }: Sent): string {
  return createHash("sha256")
    .update(JSON.stringify([formId, text, as]))
    .digest("base64url");
}

/** Props of the page on which the reader chooses whether to add their name, except the answer. */
type Shown = Pick<AnswerPageProps, "about" | "problem" | "username">;

function askForChoice(input: Input, sent: Sent, shown: Shown): HttpResponse {
  if (prefersPage(input.request)) return choicePage(input, sent, shown);
  const { problem, username } = shown;
  return ok({
    state: "choose",
    message: problem ?? words.choose(username ?? ""),
    username: username ?? null,
  });
}

function choicePage(input: Input, sent: Sent, shown: Shown = {}): HttpResponse {
  return page("public", (nonce) => renderChoice(input, sent, { ...shown, nonce }));
}

function renderChoice(
  { path: { slug }, query }: Input,
  sent: Sent,
  shown: Shown & Pick<AnswerPageProps, "nonce">,
): string {
  return renderAnswerPage({
    ...shown,
    sent: sent.text,
    action: answersPath(slug, query),
    formId: sent.formId || randomBytes(16).toString("base64url"),
    signInUrl: signInPath(`/p/${slug}`),
    backUrl: backUrl(slug, query),
  });
}

function backUrl(slug: string, { v, path }: Input["query"]): string {
  const below = path?.split("/").map(encodeURIComponent).join("/");
  const place = below ? `/d/${slug}/${below}` : `/p/${slug}`;
  return place + joinQuery(v === undefined ? undefined : `v=${v}`);
}

function presentSent({ request, host, path, query }: Input, message: string): HttpResponse {
  const shown = { heading: words.sentHeading, message };
  if (fetchDestination(request) === "frame")
    return page("framed", (nonce) => renderOutcomePage({ ...shown, nonce }));
  if (!prefersPage(request)) return ok({ state: "sent", message });
  const back = requestedPath(host, backUrl(path.slug, query));
  return page("public", (nonce) => renderOutcomePage({ ...shown, backUrl: back, nonce }));
}

/** Adds a page to an error, with the reason and the sent answer. In a frame, omits the answer, because the form still shows it. */
function refused(input: Input, sent: Sent, thrown: unknown): unknown {
  const error = toApiError(thrown);
  const isInFrame = fetchDestination(input.request) === "frame";
  if (error.code === "internal_error" || (error.code === "not_found" && !isInFrame)) return thrown;
  // The frame's form sends no cookies, so only public drops are found.
  const message = error.code === "not_found" ? words.problems.framed : problemOf(error);
  const { details, retryAfterSeconds } = error;
  return new ApiError(error.code, {
    details,
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(isInFrame
      ? framed(message)
      : { message, renderPage: (nonce) => renderChoice(input, sent, { problem: message, nonce }) }),
  });
}

/** Returns error options that render a page for a frame. */
function framed(message: string): Pick<ApiErrorOptions, "message" | "pageKind" | "renderPage"> {
  const heading = words.refusedHeading;
  return {
    message,
    pageKind: "framed",
    renderPage: (nonce) => renderOutcomePage({ heading, message, nonce }),
  };
}

function problemOf({ code, message, retryAfterSeconds = 1 }: ApiError): string {
  if (code === "rate_limited") return words.problems.wait(Math.max(1, Math.ceil(retryAfterSeconds / 60)));
  if (code === "quota_exceeded") return words.problems.full;
  if (code === "unavailable") return words.problems.busy;
  return message;
}
