import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { text } from "../html/text.ts";
import { parseDropAddress, toNamedAddress } from "../http/drop-address.ts";
import { drawnUrl, type Site } from "../http/site.ts";
import { findAccountReader } from "../people/find-reader.ts";
import { canShowCard, isOpenToAll, type ReaderRights } from "../policies/access.ts";
import { pictureOf } from "../renders/render.ts";
import { renders } from "../renders/store.ts";

/** A link in a Slack message, and a way to identify the person who posted it. */
interface PostedLink {
  readonly url: string;
  /**
   * Finds the verified e-mail address of the person who posted the link. Called only for restricted drops. Returns undefined if the address
   * is unknown.
   */
  readonly findPosterEmail: () => Promise<string | undefined>;
}

/** A card in the format of Slack's Block Kit. All texts are plain text, so that a title cannot contain formatting or mentions. */
export interface LinkCard {
  readonly blocks: readonly object[];
}

/** Maximum length of a card's title; see "Header block", Slack documentation. */
const titleCharactersMax = 150;

/** Builds the card for a link to a drop that the poster may show to the channel. Returns undefined for any other link. */
export async function findLinkCard(
  { url, findPosterEmail }: PostedLink,
  site: Site,
  nowMs: number,
): Promise<LinkCard | undefined> {
  const address = parseDropAddress(await toNamedAddress(url, site), site);
  if (address === undefined) return undefined;
  const { slug, namespace, version: pinned } = address;
  const [pointer, version] = await Promise.all([
    publicDrops.findPointer(slug),
    pinned === undefined ? undefined : publicDrops.findVersion(slug, pinned),
  ]);
  const isThere = pointer !== undefined && (namespace === undefined || namespace === pointer.namespace);
  const drop = await publicDrops.findShownDrop(isThere ? pointer : undefined, slug, nowMs);
  if (drop === undefined || (pinned !== undefined && version === undefined)) return undefined;
  const poster = isOpenToAll(drop) ? undefined : await findOwnerByEmail(drop, await findPosterEmail());
  return canShowCard(drop, poster, nowMs) ? toCard(drop, pinned ?? drop.latest.version, site) : undefined;
}

/** Returns a drop's owner if the e-mail address is one of the owner's verified addresses. */
async function findOwnerByEmail(
  { ownerId }: Drop,
  email: string | undefined,
): Promise<ReaderRights | undefined> {
  const owner = email === undefined ? undefined : await findAccountReader(ownerId);
  return owner?.identity.emails.some((one) => one === email) ? owner : undefined;
}

async function toCard(drop: Drop, version: number, site: Site): Promise<LinkCard> {
  const { slug, title, description, namespace, ownerNamespace } = drop;
  const isOpen = isOpenToAll(drop);
  // Cards of restricted drops have no picture, because Slack fetches pictures without a session.
  const render = isOpen ? await renders.find(slug, version) : undefined;
  const picture = render && pictureOf(render, drop, "card");
  const by = `Published by ${ownerNamespace} on ${text.product}`;
  const about = isOpen ? by : `${by}. Only its readers can open it.`;
  return {
    blocks: [
      { type: "header", text: plain(shorten(title)) },
      ...(description ? [{ type: "section", text: plain(description) }] : []),
      ...(picture
        ? [
            {
              type: "image",
              image_url: drawnUrl(site, namespace, { slug, version, name: picture.name }),
              alt_text: shorten(title),
            },
          ]
        : []),
      { type: "context", elements: [plain(about)] },
    ],
  };
}

function plain(words: string) {
  return { type: "plain_text", text: words, emoji: false };
}

function shorten(title: string): string {
  if (title.length <= titleCharactersMax) return title;
  return `${title.slice(0, titleCharactersMax - 1).toWellFormed()}…`;
}
