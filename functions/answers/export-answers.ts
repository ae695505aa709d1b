import { publicDrops } from "../drops/public-drops.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { csvResponse, readCsvFile } from "./csv-export.ts";
import { exportAnswersRoute } from "./rows.ts";

/**
 * GET /api/drops/{slug}/answers.csv: exports answers as CSV. If the answers do not fit into one response, the header `Link` has the URL of
 * the next part.
 */
export const exportAnswers = tokenOperation(
  exportAnswersRoute,
  async ({ caller, path, query, nowMs, site }) => {
    const { slug } = path;
    const form = query.form || undefined;
    await publicDrops.requireDrop(caller.userId, slug, nowMs);
    const { csv, next } = await readCsvFile(slug, { form, since: query.since, nowMs });
    const response = csvResponse(slug, csv);
    if (next === undefined) return response;
    const rest = new URLSearchParams({ ...(form === undefined ? {} : { form }), since: String(next) });
    const link = `<${site.baseUrl}/api/drops/${slug}/answers.csv?${rest}>; rel="next"`;
    return { ...response, headers: { ...response.headers, link } };
  },
);
