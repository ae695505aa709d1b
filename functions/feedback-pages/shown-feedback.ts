import type { Comment, ThreadState } from "../feedback/feedback.ts";
import type { Draft, Problem } from "./draft.ts";

/** Who may write, and as whom. */
export type Writer =
  /** Somebody who has signed in. */
  | { readonly kind: "signed-in"; readonly username: string }
  /** Somebody behind the passcode, by a name of their choice. */
  | { readonly kind: "named" }
  /** Nobody yet. */
  | { readonly kind: "nobody" }
  /** Somebody whom the operator has shut out. */
  | { readonly kind: "barred" };

/** What the page of a drop's feedback shows. */
export interface FeedbackPageProps {
  readonly title: string;
  /** The version shown. */
  readonly version: number;
  readonly latestVersion: number;
  readonly openThreads: number;
  /** Whether there are as many threads as there may be. */
  readonly isFull: boolean;
  /** Those of this part of the list: the open ones first, and of each kind what changed last. */
  readonly threads: readonly ShownThread[];
  /** Where the parts before and after this one are. @default - there are none */
  readonly newerUrl?: string | undefined;
  readonly olderUrl?: string | undefined;
  /** Where all threads are, where one alone is shown. @default - all are */
  readonly allUrl?: string | undefined;
  readonly writer: Writer;
  readonly frameUrl: string;
  /** The viewer at the version shown; the next one is this page at any version. */
  readonly viewerUrl: string;
  readonly versionUrl: (version: number) => string;
  readonly threadUrl: (thread: number) => string;
  /** Where the forms go. */
  readonly action: string;
  /** The proof that each form carries: it was shown to this session. */
  readonly proof: string;
  /** Where a reader signs in, and comes back from. */
  readonly signInUrl: string;
  /** Where a reader sees as whom they have signed in, and signs out. */
  readonly readerUrl: string;
  /** A new one for each form. */
  readonly newFormId: () => string;
  /** What somebody has typed that was not taken, and why. @default - nothing */
  readonly refused?: { readonly draft: Draft; readonly problem: Problem } | undefined;
  readonly nonce: string;
}

/** A thread as a part of the page shows it. */
export interface ShownThread {
  readonly thread: number;
  readonly state: ThreadState;
  /** @default - it is about the page */
  readonly quote?: string | undefined;
  /** The version that it was begun at. */
  readonly version: number;
  /** Whether the passage is not in the version shown any more. */
  readonly isGone: boolean;
  /** Whether the version that it was begun at is there still. */
  readonly hasVersion: boolean;
  readonly commentCount: number;
  /** All of them, or the first and the last. */
  readonly comments: readonly Comment[];
}
