import { hasReadTrail } from "../core/environment.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { isOpenToAll } from "../policies/access.ts";
import { presentReads } from "./presenter.ts";
import { publicDrops } from "./public-drops.ts";
import { readTrail } from "./read-trail.ts";
import { listReadsRoute } from "./rows.ts";

/** GET /api/drops/{slug}/reads: lists who opened a drop, newest day first, with a summary. */
export const listReads = tokenOperation(listReadsRoute, async ({ caller, path, query, nowMs }) => {
  const { cursor, pageSize: limit } = query;
  const [drop, part] = await Promise.all([
    publicDrops.requireDrop(caller.userId, path.slug, nowMs),
    readTrail.list(path.slug, { cursor, limit, nowMs }),
  ]);
  const isRecording = hasReadTrail() && !isOpenToAll(drop);
  const weeksReaders = isRecording ? await readTrail.listWeeksReaders(path.slug, nowMs) : undefined;
  return ok(presentReads(drop, part, weeksReaders));
});
