import { renderAnswerPage, renderOutcomePage } from "../../../functions/answers/answer-page.tsx";
import { answersText } from "../../../functions/answers/answers-text.ts";
import {
  type ComparisonPageProps,
  renderComparisonPage,
} from "../../../functions/comparison/comparison-page.tsx";
import { emptyDraft } from "../../../functions/feedback/draft.ts";
import { renderFeedbackPage } from "../../../functions/feedback/feedback-page.tsx";
import type { FeedbackPageProps } from "../../../functions/feedback/shown-threads.ts";
import { renderGatePage, renderReloadPage } from "../../../functions/gate/gate-page.tsx";
import { cachedPage, page } from "../../../functions/html/page.ts";
import { renderErrorPage } from "../../../functions/html/sheet.tsx";
import { text } from "../../../functions/html/text.ts";
import { type HttpResponse, ok } from "../../../functions/http/response.ts";
import { renderNotAMemberPage } from "../../../functions/identity/not-a-member.tsx";
import {
  type OwnerPageProps,
  ownerPageAssets,
  renderOwnerPage,
} from "../../../functions/owner-page/owner-page.tsx";
import { renderViewerPage } from "../../../functions/viewer/viewer-page.tsx";
import type { ViewerPageProps } from "../../../functions/viewer/viewer-props.ts";
import { accountPages, conflictOf, listOfDrops, listOfFiles } from "../../account/account-page-fixtures.ts";
import { manyAnswers, noAnswers, oneAnswer } from "../../account/answers-page-fixtures.ts";
import { feedbackProps } from "../../feedback/feedback-page-fixtures.ts";
import { nonce } from "../../html/nonce.ts";
import {
  answerProps,
  comparisonProps,
  ownerProps,
  publishedAtMs,
  someVersions,
  viewerProps,
} from "../../html/page-fixtures.ts";
import { plainDrops } from "../../owner-page/plain-drops.ts";
import { libraryOfTwenty, libraryPages } from "./library-pages.ts";

const longWord = "migration_checklist__customers_and_invoices__eu_central_1__final_v3_"
  .repeat(3)
  .slice(0, 200);
const framedPage = "/framed";
const reportUrl = "mailto:security@example.com?subject=Report%3A%20https%3A%2F%2Fada.example.com%2F";

/** Pages by path, in states that take hundreds of calls, a fault or a quarter of an hour to reach over HTTP. */
export const rarePages: Readonly<Record<string, HttpResponse>> = {
  "/owner-without-entries": owner({ drops: [], files: [] }),
  "/owner-second-page": owner({
    dropCount: 900,
    fileCount: 120,
    page: { number: 2, count: 3, hrefFor: (number) => `?page=${number}` },
  }),
  "/owner-with-long-words": owner({
    namespace: "a".repeat(40),
    drops: [{ title: longWord, url: "/d/aB3dE5f", updatedAtMs: publishedAtMs, locked: false }],
    reportUrl,
  }),
  "/viewer-of-a-reader": viewer({ readerUrl: "/login/read", reportUrl, hasContext: true }),
  "/viewer-with-long-words": viewer({
    title: longWord,
    description: longWord + longWord,
    namespace: "a".repeat(40),
  }),
  "/viewer-right-to-left-with-emoji": viewer({
    title: `تقرير المبيعات للربع الثالث من السنة المالية ${"👩‍👩‍👧‍👦🏳️‍🌈".repeat(20)}`,
    description: null,
  }),
  "/comparison-with-long-words": comparison(longWord, { latestVersion: 3 }),
  "/feedback-with-long-words": feedback(longWord, {}),
  "/feedback-right-to-left": feedback("هل يشمل هذا الرحلات التي انتهت عند العبّارة؟", {}),
  "/feedback-refused": feedback("The garden", {
    threads: [],
    writer: { kind: "signed-in", username: "ada" },
    refused: {
      draft: { ...emptyDraft, quote: longWord, text: longWord.repeat(10) },
      problem: { message: "It is too long.", field: "text" },
    },
  }),
  "/feedback-signed-out": feedback("The garden", { writer: { kind: "nobody" }, refused: undefined }),
  "/answer": page("public", (nonce) => renderAnswerPage({ ...answerProps(longWord), nonce })),
  "/answer-refused": page("public", (nonce) => {
    const { wait } = answersText.problems;
    return renderAnswerPage({ ...answerProps("Why?", { username: undefined, problem: wait(9) }), nonce });
  }),
  "/answer-sent": page("public", (nonce) =>
    renderOutcomePage({
      heading: answersText.sentHeading,
      message: answersText.sent("1 March 2027", true),
      backUrl: "/",
      nonce,
    }),
  ),
  "/answer-in-frame": page("framed", (nonce) =>
    renderOutcomePage({ heading: answersText.refusedHeading, message: answersText.problems.framed, nonce }),
  ),
  "/gate-wait": page("gate", (nonce) =>
    renderGatePage({
      action: "/unlock",
      wrong: false,
      wait: { seconds: 700, untilMs: publishedAtMs },
      nonce,
    }),
  ),
  "/reload": page("framed", (nonce) => renderReloadPage({ nonce })),
  "/not-a-member-with-long-words": membershipRefused(`User name: ${longWord}`, "https://example.com/ask"),
  "/not-a-member-without-contact": membershipRefused("Please let me publish."),
  "/account-without-drops": ownPage(listOfDrops("ada", 0)),
  ...Object.fromEntries(
    [
      ...["account with search results", "account with a refused search", "account with drops"],
      ...["own answers", "own drop", "own files", "own tokens", "own trash"],
      ...["no account", "no member any more", "signed out of a form"],
    ].map((name) => [`/${name.replaceAll(" ", "-")}`, ownPage(accountPages(longWord)[name] ?? "")]),
  ),
  "/own-answers-none": ownPage(noAnswers()),
  "/own-answers-one": ownPage(oneAnswer()),
  ...libraryPages,
  "/fault": page("sign-in", (nonce) =>
    renderErrorPage({
      status: 500,
      heading: text.error.heading(500),
      message: text.error.advice.internal_error ?? "",
      way: { href: "/", label: text.error.owner("a".repeat(40)) },
      nonce,
    }),
  ),
};

/** Pages with the maximum of content, whose elements other tests inspect. */
export const fullPages: Readonly<Record<string, HttpResponse>> = {
  "/owner-of-500": owner({ drops: plainDrops(500, "/", publishedAtMs), files: [] }),
  "/viewer-of-200-versions": viewer({ version: 97, latestVersion: 200, versions: someVersions(200) }),
  "/comparison-of-200-versions": comparison("The garden", { versions: someVersions(200) }),
  "/account-of-50": ownPage(listOfDrops(longWord, 50)),
  "/own-drop-of-200-versions": ownPage(conflictOf(longWord, 200)),
  "/own-files-50": ownPage(listOfFiles(longWord, 50)),
  "/own-answers-50": ownPage(manyAnswers()),
  "/library-of-twenty": libraryOfTwenty,
};

/** Responses to the requests of the viewers above: their frames and polls. */
export const framedPages: Readonly<Record<string, HttpResponse>> = {
  [framedPage]: {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><html lang="en"><title>Framed</title><h1>Framed</h1></html>`,
  },
  [viewerProps().stateUrl]: ok({ state: "open" }),
};

function owner(changes: Partial<OwnerPageProps>): HttpResponse {
  return cachedPage(renderOwnerPage(ownerProps(changes)), {
    inline: ownerPageAssets,
    caching: { edgeSeconds: 0, tags: [] },
  });
}

/** Returns the response with a page that was already rendered with a nonce. */
function ownPage(html: string): HttpResponse {
  return page("signed-in", (given) => html.replaceAll(nonce, given));
}

function viewer(changes: Partial<ViewerPageProps>): HttpResponse {
  return page("viewer", (nonce) =>
    renderViewerPage({ ...viewerProps({ frameUrl: framedPage, ...changes }), nonce }),
  );
}

function comparison(words: string, changes: Partial<ComparisonPageProps>): HttpResponse {
  return page("comparison", (nonce) =>
    renderComparisonPage({ ...comparisonProps(words, changes), frameUrl: () => framedPage, nonce }),
  );
}

function feedback(words: string, changes: Partial<FeedbackPageProps>): HttpResponse {
  return page("feedback", (nonce) =>
    renderFeedbackPage({ ...feedbackProps(words, changes), frameUrl: framedPage, nonce }),
  );
}

function membershipRefused(message: string, contact?: string) {
  const props = { contact, baseUrl: "https://drops.example.com", message, hasNames: true };
  return page("sign-in", (nonce) => renderNotAMemberPage({ ...props, nonce }));
}
