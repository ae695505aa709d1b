import { emptyDraft } from "../../functions/feedback/draft.ts";
import type { Author, Comment } from "../../functions/feedback/feedback.ts";
import type { FeedbackPageProps, ShownThread } from "../../functions/feedback/shown-threads.ts";
import { nonce } from "../html/nonce.ts";

const atMs = Date.UTC(2025, 4, 3, 14, 5, 9);
const slug = "aB3dE5f";

/** Comments by these authors in a thread, a minute apart, with these words. */
function commentsOf(thread: number, words: string, authors: readonly Author[]): Comment[] {
  return authors.map((author, index) => ({
    slug,
    thread,
    comment: index + 1,
    sequence: thread * 10 + index,
    author,
    text: words,
    version: 3,
    createdAtMs: atMs + index * 60_000,
  }));
}

/**
 * Props of a drop's feedback in version 3 of 4, with a thread of every kind. All texts that people enter are these
 * words.
 */
export function feedbackProps(words: string, changes: Partial<FeedbackPageProps> = {}): FeedbackPageProps {
  const authors: readonly Author[] = [
    { kind: "reader", name: words, identity: "https://id.example.com#1" },
    { kind: "named", name: words },
    { kind: "owner", name: "ada" },
  ];
  const thread = (number: number, more: Partial<ShownThread>): ShownThread => ({
    thread: number,
    state: "open",
    version: 3,
    isGone: false,
    hasVersion: true,
    commentCount: authors.length,
    comments: commentsOf(number, words, authors),
    ...more,
  });
  let forms = 0;
  return {
    title: words,
    version: 3,
    latestVersion: 4,
    openThreads: 4,
    isFull: false,
    threads: [
      thread(5, { quote: words }),
      thread(4, { quote: words, path: words, version: 2, isGone: true }),
      thread(3, { version: 1, commentCount: 9 }),
      thread(2, { commentCount: 50 }),
      thread(1, { state: "resolved", quote: words, version: 4 }),
    ],
    newerUrl: `/p/${slug}/feedback?v=3`,
    olderUrl: `/p/${slug}/feedback?v=3&page=3`,
    writer: { kind: "named" },
    isPanel: false,
    frameUrl: `/p/${slug}/raw?v=3&framed=1`,
    framedPageUrl: (path) => `/p/${slug}/raw/@3-framed/${encodeURIComponent(path)}`,
    viewerUrl: `/p/${slug}?v=3`,
    versionUrl: (version) => `/p/${slug}/feedback?v=${version}`,
    threadUrl: (number) => `/p/${slug}/feedback?v=3&thread=${number}`,
    action: `/p/${slug}/feedback?v=3`,
    proof: "p".repeat(43),
    signInUrl: `/login/read?to=%2Fp%2F${slug}%2Ffeedback%3Fv%3D3`,
    readerUrl: "/login/read",
    newFormId: () => {
      forms += 1;
      return String(forms).padStart(22, "0");
    },
    refused: {
      draft: { ...emptyDraft, thread: 5, text: words, name: words },
      problem: { message: "Try again in 9 minutes." },
    },
    nonce,
    ...changes,
  };
}
