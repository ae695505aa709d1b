import * as z from "zod/mini";
import { choice, integer } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";

/** One page of a list, and the number of all entries. */
export interface ListPage<Entry> {
  readonly shown: readonly Entry[];
  readonly number: number;
  readonly count: number;
  /** Number of entries on all pages. */
  readonly total: number;
}

/** Entries per page: few enough for a fast page, since each has forms of its own. */
const entriesMax = 50;

/** The page with this number. A number past the end, such as after a deletion, gives the last page. */
export function listPage<Entry>(entries: readonly Entry[], asked: number): ListPage<Entry> {
  const count = Math.max(1, Math.ceil(entries.length / entriesMax));
  const number = Math.min(asked, count);
  const shown = entries.slice((number - 1) * entriesMax, number * entriesMax);
  return { shown, number, count, total: entries.length };
}

/** Changes that a form can report as done. */
const doneNames = [
  "saved",
  "shared",
  "trashed",
  "locked",
  "unlocked",
  "version-deleted",
  "version-restored",
  "answer-deleted",
  "answers-deleted",
  "access-given",
  "access-dismissed",
  "deleted",
  "moved",
  "undeleted",
  "purged",
  "uploaded",
  "uploadedWithSecrets",
  "file-deleted",
  "revoked",
  "person-saved",
  "person-removed",
  "grouped",
] as const;

/** The name of such a change. */
export type Done = (typeof doneNames)[number];

/** `?done=` of the page after a form: the change that the form made. */
export const done = /* @__PURE__ */ schema(() => z.catch(z.optional(choice(doneNames)), undefined));

/** The query with only `?done=`. */
export const doneQuery = /* @__PURE__ */ schema(() => z.object({ done }));

/** `?page=N` of a list. An invalid number shows the first page, so that people see no API error. */
export const listQuery = /* @__PURE__ */ schema(() =>
  z.object({ done, page: z._default(z.catch(integer({ minimum: 1 }), 1), 1) }),
);

/** The query of the list of drops, which can be searched: `page` is then a page of the results. */
export const searchedListQuery = /* @__PURE__ */ schema(() => z.extend(listQuery, { q: pageSearch.q }));
