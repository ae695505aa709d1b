import type { Author, NewComment } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { WriteOutcome, Written } from "../../functions/feedback/write-comment.ts";
import { openStores } from "../abuse/given-person.ts";
import { givenAct } from "./given-act.ts";

/** Comment of a reader, with defaults. */
interface GivenComment {
  readonly text?: string;
  /** @default - it is about the page */
  readonly quote?: string;
  /** The thread that it is added to. @default - it begins one */
  readonly thread?: number;
  /** @default - somebody behind the passcode */
  readonly author?: Author;
  /** The version that they saw. @default 1 */
  readonly version?: number;
  /** @default - now */
  readonly atMs?: number;
}

/** Writes something behind the service as a reader of a drop would. */
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
