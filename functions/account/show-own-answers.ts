import { page } from "../html/page.ts";
import { showOwnAnswersRoute } from "./answer-rows.ts";
import { answersQuery } from "./answers-part.ts";
import { ownAnswersPage } from "./own-answers.ts";
import { ownerPage } from "./owner-form.ts";

/** GET /account/drops/{slug}/answers: shows readers' answers to the forms of an owner's drop. */
export const showOwnAnswers = ownerPage(
  showOwnAnswersRoute,
  ({ path, query }) => ({ page: "answers", slug: path.slug, query: answersQuery(query) }),
  async (input) => page("signed-in", await ownAnswersPage(input, input.query)),
);
