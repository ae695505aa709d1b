import type { Author, NewComment } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { WriteOutcome, Written } from "../../functions/feedback/write-comment.ts";
import { openStores } from "../abuse/given-person.ts";
import { givenAct } from "./given-act.ts";

/** A reader's comment, with defaults. */
interface GivenComment {
  readonly text?: string;
  /** @default - the whole page */
  readonly quote?: string;
  /** Thread to reply to. @default - a new thread */
  readonly thread?: number;
  /** @default - a reader who entered the passcode */
  readonly author?: Author;
  /** Version that the reader saw. @default 1 */
  readonly version?: number;
  /** @default - now */
  readonly atMs?: number;
}

/** Stores a comment directly in the service, as if a reader of the drop had sent it. */
export async function givenComment(
  ownerId: string,
  slug: string,
  { text = "A word.", quote, thread, author, version = 1, atMs = Date.now() }: GivenComment = {},
): Promise<Written> {
  await openStores();
  const comment: NewComment = { author: author ?? { kind: "named", name: "Grace" }, text, version, atMs };
  const about = { ownerId, slug };
  const act = givenAct();
  return requireWritten(
    thread === undefined
      ? await feedback.begin(about, { ...comment, quote }, act)
      : await feedback.reply(about, thread, comment, act),
  );
}

function requireWritten(outcome: WriteOutcome): Written {
  if (outcome.kind === "written") return outcome.written;
  throw new Error(`The comment is not there: ${outcome.kind}.`);
}
