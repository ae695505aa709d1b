import { csvResponse, readCsvFile } from "../answers/csv-export.ts";
import { ApiError } from "../core/errors.ts";
import { drops } from "../drops/store.ts";
import { redirect } from "../http/response.ts";
import { pagePath } from "../identity/destination.ts";
import { exportOwnAnswersRoute } from "./answer-rows.ts";
import { answersQuery } from "./answers-part.ts";
import { ownerPage } from "./owner-form.ts";

/** Marks a CSV file as UTF-8. Without the mark, Excel shows "é" as "Ã©". */
const byteOrderMark = "\ufeff";

/**
 * GET /account/drops/{slug}/answers.csv: exports the answers to a form as CSV. If the answers do not fit into one file, redirects to the
 * page of answers, which links to several files.
 */
export const exportOwnAnswers = ownerPage(
  exportOwnAnswersRoute,
  ({ path, query }) => ({ page: "answers", slug: path.slug, query: answersQuery(query) }),
  async ({ owner, path: { slug }, query, nowMs, site }) => {
    const { form, since } = query;
    if ((await drops.find(owner.userId, slug)) === undefined) throw new ApiError("not_found");
    const read = (after: number) => readCsvFile(slug, { form, since: after, nowMs });
    const first = await read(since ?? 0);
    if (since !== undefined || first.next === undefined) return csvResponse(slug, byteOrderMark + first.csv);
    const parts = [0];
    for (let next: number | undefined = first.next; next !== undefined; ) {
      parts.push(next);
      next = (await read(next)).next;
    }
    const destination = { page: "answers", slug, query: answersQuery({ form, parts }) } as const;
    return redirect(site.baseUrl + pagePath(destination));
  },
);
