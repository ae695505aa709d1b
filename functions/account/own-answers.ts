import { answerCounts } from "../answers/answer-counts.ts";
import { type Answer, countOf, valuesOf } from "../answers/answers.ts";
import { answers } from "../answers/store.ts";
import { ApiError } from "../core/errors.ts";
import { answersOf } from "../drops/drop-access.ts";
import { drops } from "../drops/store.ts";
import { dropUrl } from "../http/site.ts";
import { toTerm } from "../search/tokens.ts";
import type { PageState } from "./account-layout.tsx";
import { deleteOwnAnswersRoute } from "./answer-rows.ts";
import { renderAnswersPage } from "./answers-page.tsx";
import type { AnswersPart } from "./answers-part.ts";
import type { DropPageInput } from "./own-drop.ts";
import { mayUse, ownerProofs, type RenderPage } from "./owner-form.ts";

/** Maximum number of answers per page. Small, because each answer has several columns. */
const shownMax = 50;

/** Reads a page of answers, and returns the page's renderer. @throws ApiError `not_found` for a missing or another owner's drop */
export async function ownAnswersPage(
  { owner, path: { slug }, signedIn, site, nowMs }: DropPageInput,
  { form: asked, q, before, parts, ...state }: AnswersPart & PageState,
): Promise<RenderPage> {
  const [drop, counts, proofOf] = await Promise.all([
    drops.find(owner.userId, slug),
    answerCounts.current(slug, nowMs),
    ownerProofs({ signedIn, owner }),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  // By default, shows the form that was answered last, which is the last entry.
  const form = counts.some(([name]) => name === asked) ? asked : counts.at(-1)?.[0];
  const isMatch = q === undefined ? undefined : matcherOf(q);
  const found =
    form === undefined
      ? undefined
      : await answers.listNewest(slug, { form, before, limit: shownMax, isMatch, nowMs });
  return (nonce) =>
    renderAnswersPage({
      signedIn,
      drop,
      url: dropUrl(site, drop.namespace, slug),
      areAccepted: answersOf(drop) === "readers",
      counts,
      shown:
        form === undefined || found === undefined
          ? undefined
          : { form, count: countOf(counts, form), ...found },
      part: { form, q, before, parts },
      proofOf,
      mayDelete: mayUse(owner, deleteOwnAnswersRoute),
      ...state,
      nonce,
    });
}

/** Returns a function that checks whether an answer or its reader's name contains the text. Ignores case and accents. */
function matcherOf(q: string): (answer: Answer) => boolean {
  const term = toTerm(q);
  return ({ fields, author }) => {
    const texts = fields.flatMap(([, value]) => valuesOf(value));
    const names = author.kind === "reader" ? [author.name] : [];
    return [...names, ...texts].some((text) => toTerm(text).includes(term));
  };
}
