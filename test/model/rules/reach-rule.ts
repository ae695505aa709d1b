import type { DropState } from "../state.ts";
import { forAnybody, type VisibilityBody, type WhoMayRead, whoMayRead } from "./visibility-rule.ts";

/** Fields that determine who can read, find and write to a drop. */
export interface ReachBody extends VisibilityBody {
  readonly indexed?: boolean;
  readonly feedback?: "off" | "readers";
  readonly answers?: "off" | "readers";
  readonly answers_results?: boolean;
}

/** Access to a drop: its readers, search engines, comments and answers. */
type Reach = WhoMayRead & Pick<DropState, "indexed" | "feedback" | "answers" | "showsResults">;

/** The defaults of a new drop. */
export const nothingSaid: Reach = { ...forAnybody, indexed: false };

/**
 * Returns the access to a drop after a call, or undefined if the call is refused. See
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

/** Returns the drop's feedback setting, or its default. */
export function feedbackOf({ feedback, visibility }: DropState): "off" | "readers" {
  return feedback ?? (["members", "people"].includes(visibility) ? "readers" : "off");
}
