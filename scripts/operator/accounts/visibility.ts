import type { Blob } from "../../../functions/blobs/blob.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { blobs, toBlob } from "../../../functions/blobs/store.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { mostOpenVisibility } from "../../../functions/drops/drop-access.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { drops } from "../../../functions/drops/store.ts";
import { blobUrl, dropUrl, type Site } from "../../../functions/http/site.ts";
import {
  toVisibility,
  type Visibility,
  type VisibilityKind,
  visibilityKinds,
} from "../../../functions/policies/access.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import { quote, UsageError } from "../command.ts";
import { defineServiceCommand } from "../service.ts";
import { findUserId, readParts, type StoredItem } from "../table-reads.ts";

const limited = visibilityKinds.slice(1);

export const visibilityCommand = defineServiceCommand({
  usage: "visibility [<account>]",
  summary: "lists drops and files that are more visible than the settings allow",
  details: `
The setting mostOpenVisibility limits only new and edited drops and files. This command lists older drops and files that are more open, of
one account or of all accounts. Exits with 1 if it finds any. Without <account>, it reads the whole table.

--fix sets each listed drop and file to the most open visibility that is allowed: unlisted, members, or people. With people, only the owner
can read a drop or file until the owner names readers.`,
  options: {
    "more-open-than <visibility>": `${limited.join(", ")} (the setting mostOpenVisibility)`,
    fix: "restricts the listed drops and files",
  },
  async run({ words: [name], options, service, action, print }) {
    // `public` cannot be chosen, because no visibility is more open.
    const text = options["more-open-than"];
    const most = text === undefined ? mostOpenVisibility() : limited.find((kind) => kind === text);
    if (most === undefined)
      throw new UsageError(`--more-open-than is ${quote(text ?? "")}. Choose from ${limited.join(", ")}.`);
    const userId = await findUserId(name);
    const fixing = options.fix ? await action("restrict-visibility") : undefined;
    let count = 0;
    for await (const { items } of readParts(userId))
      for (const item of items) {
        const thing = findThing(item, service);
        if (thing === undefined || !isMoreOpen(thing, most)) continue;
        // Skips a drop or file that its owner has restricted or deleted in the meantime.
        if (fixing && !(await thing.restrict(most, fixing))) continue;
        count += 1;
        print(`${thing.url}  ${thing.visibility.kind}  ${fixing ? "is now" : "would be"} ${most}`);
      }
    print(`${fixing ? "Restricted" : `More open than ${most}`}: ${count}.`);
    return fixing !== undefined || count === 0;
  },
});

/** Parses the table item of a drop or file. Parses only the needed fields of a drop, because other fields may be invalid. */
function findThing(item: StoredItem, site: Site) {
  const subject = parseKey(item);
  if (subject?.kind !== "drop" && subject?.kind !== "blob") return undefined;
  const visibility = toVisibility(item);
  if (subject.kind === "drop") {
    const { slug } = subject;
    const restrict = (most: VisibilityKind, act: Act) => restrictDrop(slug, most, act);
    return { visibility, url: dropUrl(site, item.namespace as string, slug), restrict };
  }
  const file = toBlob(item);
  const restrict = (most: VisibilityKind, act: Act) => restrictFile(file, most, act);
  return { visibility, url: blobUrl(site, file.namespace, file.id), restrict };
}

function isMoreOpen({ visibility }: Pick<Drop, "visibility">, than: VisibilityKind): boolean {
  return visibilityKinds.indexOf(visibility.kind) < visibilityKinds.indexOf(than);
}

/** Restricts a drop. Resolves to false if the drop is deleted or already restricted. With `people`, only the owner can read the drop. */
async function restrictDrop(slug: string, most: VisibilityKind, act: Act): Promise<boolean> {
  const find = () => publicDrops.findBySlug(slug);
  for (let drop = await find(); drop !== undefined; drop = await find()) {
    if (!isMoreOpen(drop, most)) return false;
    const changed = await drops.change(drop, act, (current) => {
      if (!isMoreOpen(current, most)) return undefined;
      const fields = { indexed: false, revision: current.revision + 1, updatedAtMs: act.atMs };
      return { drop: { ...current, visibility: withoutReaders(most), ...fields } };
    });
    if (changed !== undefined) return true;
  }
  return false;
}

async function restrictFile({ namespace, id }: Blob, most: VisibilityKind, act: Act): Promise<boolean> {
  const find = () => publicFiles.find(namespace, id);
  for (let file = await find(); file !== undefined; file = await find()) {
    if (!isMoreOpen(file, most)) return false;
    if (await blobs.setAccess(file, { ...file, visibility: withoutReaders(most) }, act)) return true;
  }
  return false;
}

function withoutReaders(kind: VisibilityKind): Visibility {
  return kind === "people" ? { kind, readers: [] } : { kind };
}
