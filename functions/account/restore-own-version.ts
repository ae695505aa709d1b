import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { restoreOwnedVersion } from "../drops/version-restoration.ts";
import { pagePath } from "../identity/destination.ts";
import { parseFormRevision, revisionField } from "./form-revision.ts";
import { alreadyDone, rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm, readVersionNumber } from "./owner-form.ts";
import { restoreOwnVersionRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/restore: publishes an earlier version of an owner's drop as the latest version. */
export const restoreOwnVersion = ownerForm(restoreOwnVersionRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => ({
    seen: parseFormRevision(fields.get(revisionField)),
    version: readVersionNumber(fields),
  }),
  change: async (input, { seen, version }) => {
    const { owner, path } = input;
    const { slug } = path;
    const owned = { ownerId: owner.userId, slug, ifMatch: [seen.tag] };
    // The version was already restored if the latest version has the same content and was published after the form was shown.
    const isAsAsked = async ({ latest }: Drop) => {
      if (latest.version <= Number(seen.latest)) return false;
      const [newest, asked] = await Promise.all([
        publicDrops.findVersion(slug, latest.version),
        publicDrops.findVersion(slug, version),
      ]);
      return newest !== undefined && newest.sha256 === asked?.sha256;
    };
    await restoreOwnedVersion(owned, { version }, input).catch((error) =>
      alreadyDone(error, owner, slug, isAsAsked),
    );
    return { path: `${pagePath({ page: "drop", slug })}?done=version-restored`, wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("restore"),
});
