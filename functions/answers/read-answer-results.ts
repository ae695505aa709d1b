import { ApiError } from "../core/errors.ts";
import { isGuarded } from "../drops/drop.ts";
import { answersOf } from "../drops/drop-access.ts";
import { findVersionForReader } from "../gate/readable-version.ts";
import { pageOperation } from "../http/page-operation.ts";
import { cachedOk, dropTag, ok, ownerTag } from "../http/response.ts";
import { answerCounts } from "./answer-counts.ts";
import { findForm } from "./answered-page.ts";
import { readAnswerResultsRoute } from "./page-rows.ts";

/** Edge cache time of the counts, in seconds. It is shorter than the 15 seconds between the polls of a page. */
const edgeSeconds = 5;

/** GET /p/{slug}/answers: returns how often each choice of a form was sent, for pages that show results. Free text is never included. */
export const readAnswerResults = pageOperation(readAnswerResultsRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const { slug } = path;
  const found = await findVersionForReader({ request, host, slug, pinned: query.v, nowMs });
  if (found.kind !== "version" || !found.drop.answersResults || answersOf(found.drop) === "off")
    throw new ApiError("not_found");
  const { name, fields } = await findForm(found, query);
  const names = new Set([...fields].filter(([, kind]) => kind === "choice").map(([field]) => field));
  const counts = await answerCounts.byChoice(slug, name, { names, nowMs });
  const body = { counts: [...counts].map(([field, choices]) => [field, [...choices]]) };
  if (isGuarded(found.drop)) return ok(body);
  return cachedOk(body, { edgeSeconds, tags: [dropTag(slug), ownerTag(found.drop.namespace)] });
});
