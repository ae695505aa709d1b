import {
  type AnswerPageProps,
  renderAnswerPage,
  renderOutcomePage,
} from "../../functions/answers/answer-page.tsx";
import {
  type ComparisonPageProps,
  renderComparisonPage,
} from "../../functions/comparison/comparison-page.tsx";
import { markChanges } from "../../functions/comparison/page-marks.ts";
import { compareLines } from "../../functions/comparison/text-comparison.ts";
import { ApiError } from "../../functions/core/errors.ts";
import { renderHomePage } from "../../functions/discovery/home-page.tsx";
import { emptyDraft } from "../../functions/feedback/draft.ts";
import { renderFeedbackPage } from "../../functions/feedback/feedback-page.tsx";
import { renderUnsentCommentPage } from "../../functions/feedback/unsent-comment-page.tsx";
import { renderGatePage, renderReloadPage } from "../../functions/gate/gate-page.tsx";
import { renderErrorPage } from "../../functions/html/sheet.tsx";
import { renderConfirmationPage, renderUndonePage } from "../../functions/identity/confirmation-page.tsx";
import { renderLoginPage, renderTokenRequestPage } from "../../functions/identity/login-page.tsx";
import { membershipRefused } from "../../functions/identity/not-a-member.tsx";
import { notShared, renderAccessRequestedPage } from "../../functions/identity/not-shared-page.tsx";
import { renderSignedInPage, renderSignedOutPage } from "../../functions/identity/reader-pages.tsx";
import { renderTokenPage } from "../../functions/identity/token-page.tsx";
import {
  renderBrowserSignInPage,
  renderCodeEntryPage,
  renderVerifyPage,
} from "../../functions/identity/verify-page.tsx";
import {
  type ListedDrop,
  type ListedFile,
  type OwnerPageProps,
  renderOwnerPage,
} from "../../functions/owner-page/owner-page.tsx";
import { renderPdfWaitPage } from "../../functions/viewer/pdf-wait-page.tsx";
import { renderViewerPage } from "../../functions/viewer/viewer-page.tsx";
import type { ViewerPageProps, ViewerVersion } from "../../functions/viewer/viewer-props.ts";
import { accountPages } from "../account/account-page-fixtures.ts";
import { feedbackProps } from "../feedback/feedback-page-fixtures.ts";
import { nonce } from "./nonce.ts";

export const baseUrl = "https://dropleaf.test";
export const ownerUrl = "https://ada.dropleaf.test/";

/** Props of the page on which a reader signs an answer. */
export function answerProps(words: string, changes: Partial<AnswerPageProps> = {}): AnswerPageProps {
  return {
    sent: String(new URLSearchParams([[words, words]])),
    action: "/p/aB3dE5f/answers?form=vote",
    formId: "form",
    signInUrl: "/login/read?to=%2Fp%2FaB3dE5f",
    about: { title: words, owner: words },
    username: words,
    backUrl: "/p/aB3dE5f",
    nonce,
    ...changes,
  };
}

/** Text in the format of a token that does not exist. */
const someToken = "hb_0123456789ABCDEFGHIJabcdefghij012345";
export const publishedAtMs = Date.UTC(2025, 4, 3, 14, 5, 9);

const folderFile = { sha256: "0".repeat(64), sizeBytes: 10, packKey: "_files/aB3dE5f/a.0.pack", offset: 0 };

const hourMs = 3_600_000;

/** Returns versions `count` to 1, an hour apart. */
export function someVersions(count: number): ViewerVersion[] {
  return Array.from({ length: count }, (_, index) => ({
    number: count - index,
    createdAtMs: publishedAtMs - index * hourMs,
    sizeBytes: 12_345 + index,
    hasContext: index % 2 === 0,
  }));
}

/** Props of a viewer that shows the latest of three versions. */
export function viewerProps(changes: Partial<ViewerPageProps> = {}): ViewerPageProps {
  return {
    title: "Quarterly numbers",
    description: "Revenue, churn and cost.",
    namespace: "ada",
    ownerUrl,
    manageUrl: `${baseUrl}/account/drops/aB3dE5f?from=link`,
    sharing: "link",
    canonicalUrl: `${ownerUrl}d/aB3dE5f`,
    version: 3,
    latestVersion: 3,
    versions: someVersions(3),
    hasContext: true,
    frameUrl: "/p/aB3dE5f/raw?v=3&framed=1",
    serviceHost: "dropleaf.test",
    rawUrl: `${ownerUrl}p/aB3dE5f/raw`,
    rawHasStorage: true,
    cardUrl: "https://ada.dropleaf.test/p/aB3dE5f/raw?drawn=card&v=3",
    oembedUrl: "https://dropleaf.test/oembed?url=https%3A%2F%2Fada.dropleaf.test%2Fd%2FaB3dE5f",
    compareUrl: "/p/aB3dE5f/compare",
    downloadUrl: "/p/aB3dE5f/raw?v=3&download=1",
    pdfUrl: "/p/aB3dE5f/pdf?v=3",
    contextUrl: "/p/aB3dE5f/context?v=3",
    stateUrl: "/p/aB3dE5f/state",
    versionUrl: (number) => `/p/aB3dE5f?v=${number}`,
    indexed: false,
    nonce,
    ...changes,
  };
}

/** Props of a comparison of two of three versions, whose pages contain these words. */
export function comparisonProps(
  words: string,
  changes: Partial<ComparisonPageProps> = {},
): ComparisonPageProps {
  const versions = someVersions(3).map((version) => ({ ...version, note: words }));
  const [to, from] = versions as [ViewerVersion, ViewerVersion];
  const lines = Array.from({ length: 12 }, (_, index) => `<p>Line ${index + 1} of the garden</p>\n`);
  const before = [...lines, `<p>${words} has 12 leaves</p>\n`, "<p>Gone</p>\n", ...lines, "<p>End</p>"].join(
    "",
  );
  const after = [...lines, `<p>${words} has 13 leaves</p>\n`, "<p>Here</p>\n<p>New</p>\n", ...lines].join("");
  return {
    title: words,
    from,
    to,
    latestVersion: 3,
    versions,
    compared: {
      view: "text",
      files: [
        { path: "css/<b>.css", before: undefined, after: folderFile },
        { path: "app.js", before: folderFile, after: folderFile },
      ],
      page: compareLines(before, after, 100_000),
      context: compareLines("", `${words}\r\n\u202e\u0000`, 100_000),
    },
    path: "/p/aB3dE5f/compare",
    viewerUrl: (version) => `/p/aB3dE5f?v=${version}`,
    frameUrl: (version) => `/p/aB3dE5f/raw?v=${version}&framed=1`,
    contextUrl: (version) => `/p/aB3dE5f/context?v=${version}`,
    rawUrl: (version) => `/p/aB3dE5f/raw?v=${version}`,
    manageUrl: `${baseUrl}/account/drops/aB3dE5f`,
    nonce,
    ...changes,
  };
}

/** Returns drops that are an hour apart, newest first. */
export function someDrops(count: number, changes: Partial<ListedDrop> = {}): ListedDrop[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Page ${index + 1} of the garden`,
    url: `${ownerUrl}d/aB3dE${String(index).padStart(2, "0")}`,
    updatedAtMs: publishedAtMs - index * hourMs,
    locked: false,
    ...changes,
  }));
}

/** Returns files that are an hour apart, newest first. */
export function someFiles(count: number, changes: Partial<ListedFile> = {}): ListedFile[] {
  return Array.from({ length: count }, (_, index) => ({
    filename: `photo ${index + 1}.jpg`,
    url: `${ownerUrl}b/bB3dE${String(index).padStart(2, "0")}`,
    sizeBytes: 1_843_201,
    contentType: "image/jpeg",
    createdAtMs: publishedAtMs - index * hourMs,
    ...changes,
  }));
}

/** Props of an owner's page with three drops and a file. */
export function ownerProps(changes: Partial<OwnerPageProps> = {}): OwnerPageProps {
  const page = { number: 1, count: 1, hrefFor: (number: number) => `/?page=${number}` };
  const { drops = someDrops(3), files = someFiles(1) } = changes;
  return {
    namespace: "ada",
    homeUrl: `${baseUrl}/`,
    feedUrl: "/feed",
    dropCount: drops.length,
    fileCount: files.length,
    drops,
    files,
    page,
    ...changes,
  };
}

function notAMemberPage(words: string): string {
  const identity = { provider: "https://id.example.com", id: "1", username: words, emails: [words] };
  const refusal = membershipRefused({ ...identity, groups: [], organizations: [] }, baseUrl);
  return refusal.renderPage?.(nonce) ?? "";
}

/** Renders every page, with `words` in each place whose text a user chooses. */
export function everyPage(words: string): Record<string, string> {
  const identity = {
    username: words,
    emails: [words, "ada@example.com"],
    groups: Array.from({ length: 12 }, (_, index) => `${words} ${index}`),
  };
  const destination = "/d/aB3dE5f?v=2";
  return {
    viewer: renderViewerPage(viewerProps({ title: words, description: words, namespace: words })),
    "viewer of a locked page": renderViewerPage(
      viewerProps({ title: words, lockUrl: "/p/aB3dE5f/lock?to=%2Fd%2FaB3dE5f" }),
    ),
    "viewer of an older version": renderViewerPage(
      viewerProps({ title: words, description: null, version: 1 }),
    ),
    "page that waits for a PDF": renderPdfWaitPage({ viewerUrl: "/p/aB3dE5f?v=3", nonce }),
    comparison: renderComparisonPage(comparisonProps(words)),
    "comparison side by side": renderComparisonPage(
      comparisonProps(words, {
        compared: {
          view: "pages",
          marks: markChanges(`${words} has 12 leaves`, `${words} has 13 leaves`),
        },
      }),
    ),
    feedback: renderFeedbackPage(feedbackProps(words)),
    "feedback that was refused": renderFeedbackPage(
      feedbackProps(words, {
        writer: { kind: "signed-in", username: words },
        threads: [],
        refused: {
          draft: { ...emptyDraft, path: words, quote: words, selector: words, region: words, text: words },
          problem: { message: "x", field: "text", isStale: true },
        },
      }),
    ),
    "feedback of a locked page": renderUnsentCommentPage({
      why: "locked",
      draft: { ...emptyDraft, path: words, quote: words, selector: words, region: words, text: words },
      url: "/p/aB3dE5f/feedback",
      nonce,
    }),
    answer: renderAnswerPage(answerProps(words)),
    "answer that was refused": renderAnswerPage(
      answerProps(words, { about: undefined, username: undefined, problem: words }),
    ),
    "answer that was sent": renderOutcomePage({
      heading: words,
      message: words,
      backUrl: "/p/aB3dE5f",
      nonce,
    }),
    "answer in a frame": renderOutcomePage({ heading: words, message: words, nonce }),
    verify: renderVerifyPage({
      code: "BCDF-GHJK",
      label: words,
      scope: "publish",
      continueUrl: "/api/auth/idp/authorize?code=BCDF-GHJK",
      nonce,
    }),
    confirmation: renderConfirmationPage({
      username: words,
      namespace: words,
      ownerUrl,
      label: words,
      code: "BCDF-GHJK",
      ownCode: null,
      nonce,
    }),
    "confirmation without an agent": renderConfirmationPage({
      username: words,
      namespace: words,
      ownerUrl,
      label: words,
      code: "BCDF-GHJK",
      ownCode: "BCDF-GHJK",
      nonce,
    }),
    "code entry": renderCodeEntryPage({ code: "BCDF-GHJK", wrong: true, nonce }),
    undone: renderUndonePage({ nonce }),
    "not a member": notAMemberPage(words),
    "token request": renderTokenRequestPage({ nonce }),
    "browser sign-in": renderBrowserSignInPage({
      scope: "read",
      continueUrl: "/api/auth/idp/authorize?code=BCDF-GHJK",
      nonce,
    }),
    token: renderTokenPage({ plaintext: someToken, tokenId: "aB3dE5fG7hJ9", baseUrl, ownerUrl, nonce }),
    reload: renderReloadPage({ nonce }),
    login: renderLoginPage({ baseUrl, nonce }),
    error: renderErrorPage({
      status: 404,
      heading: words,
      message: words,
      way: { href: "/", label: words },
      nonce,
    }),
    ...accountPages(words),
    "not shared": notShared(destination, identity).renderPage?.(nonce) ?? "",
    "not shared, signed out": notShared(destination, undefined).renderPage?.(nonce) ?? "",
    "request for access":
      notShared(destination, identity, {
        slug: "aB3dE5f",
        proof: "proof",
        text: words,
        error: new ApiError("rate_limited", { retryAfterSeconds: 7_000 }),
      }).renderPage?.(nonce) ?? "",
    "access requested": renderAccessRequestedPage(nonce),
    "signed in to read": renderSignedInPage({ identity, nonce }),
    "signed out": renderSignedOutPage({ destination, nonce }),
    gate: renderGatePage({ action: "/p/aB3dE5f/unlock", wrong: true, nonce }),
    "gate with a wait": renderGatePage({
      action: "/p/aB3dE5f/unlock?v=2",
      wrong: false,
      wait: { seconds: 700, untilMs: publishedAtMs },
      nonce,
    }),
    owner: renderOwnerPage(
      ownerProps({
        namespace: words,
        drops: someDrops(3, { title: words }),
        files: someFiles(2, { filename: words, contentType: words }),
        page: { number: 2, count: 3, hrefFor: (number) => `/?page=${number}` },
      }),
    ),
    "owner without entries": renderOwnerPage(ownerProps({ namespace: words, drops: [], files: [] })),
    home: renderHomePage({ baseUrl, nonce }),
  };
}
