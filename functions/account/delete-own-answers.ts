import { answerCounts } from "../answers/answer-counts.ts";
import { countOf } from "../answers/answers.ts";
import { answers } from "../answers/store.ts";
import { ApiError } from "../core/errors.ts";
import { pagePath } from "../identity/destination.ts";
import { accountText } from "./account-text.ts";
import { deleteOwnAnswersRoute } from "./answer-rows.ts";
import { type AnswersPart, answersQuery } from "./answers-part.ts";
import { ownAnswersPage } from "./own-answers.ts";
import { ownerForm, readPositiveInteger } from "./owner-form.ts";
import { type FormFields, problemOf } from "./problem.ts";

/** Answers to delete: the answer with the given number, or all answers. `count` is the number of answers when the form was shown. */
type Deletion = { readonly number: number } | { readonly count: number };

/** POST /account/drops/{slug}/answers: deletes an answer to an owner's drop, or all answers to a form. */
export const deleteOwnAnswers = ownerForm(deleteOwnAnswersRoute, {
  pageOf: ({ path }) => ({ page: "answers", slug: path.slug }),
  read: readDeletion,
  change: async ({ owner, path: { slug }, act }, deletion, fields) => {
    const drop = { ownerId: owner.userId, slug };
    const pathAfter = (part: AnswersPart, done: "answer-deleted" | "answers-deleted") =>
      pagePath({ page: "answers", slug, query: answersQuery(part, done) });
    // The CSRF token proves that the drop belonged to the owner, so a missing answer was already deleted.
    if ("number" in deletion) {
      await answers.remove(drop, deletion.number, act);
      return { path: pathAfter(partOf(fields), "answer-deleted"), wrote: { slug } };
    }
    const form = fields.get("form") ?? "";
    const count = countOf(await answerCounts.current(slug, act.atMs), form);
    if (count > deletion.count)
      throw new ApiError("invalid_arg", {
        message:
          "Nothing was deleted, because new answers have arrived since this form was shown. Check the answers, then try again.",
      });
    await answers.removeAll(drop, form, act);
    return { path: pathAfter({}, "answers-deleted"), wrote: { slug } };
  },
  showAgain: (input, fields, error) =>
    ownAnswersPage(input, { ...partOf(fields), problem: problemOf(error, fields) }),
});

function readDeletion(fields: FormFields): Deletion {
  const number = readPositiveInteger(fields, "number");
  const count = readPositiveInteger(fields, "count");
  if (number !== undefined) return { number };
  if (count === undefined) throw new ApiError("invalid_arg", { message: accountText.problems.incomplete });
  if (fields.get("confirm") === "yes") return { count };
  const message = "To delete all answers, tick the box.";
  throw new ApiError("invalid_arg", { message, details: { field: "confirm" } });
}

/** Reads the form's hidden fields, which select the answers that the page shows. */
function partOf(fields: FormFields): AnswersPart {
  return {
    form: fields.get("form") ?? "",
    q: fields.get("q") || undefined,
    before: readPositiveInteger(fields, "before"),
  };
}
