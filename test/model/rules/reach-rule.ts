import type { DropState } from "../state.ts";
import { forAnybody, type VisibilityBody, type WhoMayRead, whoMayRead } from "./visibility-rule.ts";

/** What the owner may send of how far a drop reaches. */
export interface ReachBody extends VisibilityBody {
  readonly indexed?: boolean;
  readonly feedback?: "off" | "readers";
  readonly answers?: "off" | "readers";
  readonly answers_results?: boolean;
}

/** Who may read a drop, whether search engines may list it, and whether its readers may write. */
type Reach = WhoMayRead & Pick<DropState, "indexed" | "feedback" | "answers" | "showsResults">;

/** What nothing is said of. */
export const nothingSaid: Reach = { ...forAnybody, indexed: false };

/**
 * How far a drop reaches after a call; undefined where the call is refused:
 * docs/adr/0040-visibility-and-indexing.md.
 */
export function reachAfter(before: Reach, body: ReachBody, isLocked: boolean): Reach | undefined {
  const who = whoMayRead(before, body);
  if (who === undefined) return undefined;
  const readable = {
    ...who,
    feedback: body.feedback ?? before.feedback,
    answers: body.answers ?? before.answers,
    showsResults: body.answers_results ?? before.showsResults,
  };
  if (readable.visibility === "public" && !isLocked)
    return { ...readable, indexed: body.indexed ?? before.indexed };
  return body.indexed === true ? undefined : { ...readable, indexed: false };
}

/** Tells whether readers may comment on the drop. */
export function feedbackOf({ feedback, visibility }: DropState): "off" | "readers" {
  return feedback ?? (["members", "people"].includes(visibility) ? "readers" : "off");
}
