import { createHash } from "node:crypto";
import type { PageContent, StoredPage } from "./drop.ts";
import { findStyleOffset } from "./style-offset.ts";

/** A page ready to be stored under a key of its own: `<slug>/<objectId>.html`. */
export function toStoredPage(slug: string, objectId: string, content: PageContent): StoredPage {
  const bytes = Buffer.from(content.html);
  return {
    key: `${slug}/${objectId}.html`,
    bytes,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    styleOffset: findStyleOffset(bytes),
    context: content.context === "" ? undefined : content.context,
  };
}
