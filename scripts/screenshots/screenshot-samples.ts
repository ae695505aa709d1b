import { setTimeout as wait } from "node:timers/promises";
import type { LocalCloud } from "@dropleaf/local-cloud";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { toCommentItem, toThreadItem } from "../../functions/feedback/items.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { updateItem, writeItems } from "../../functions/table/table-writes.ts";
import { hasBrowser } from "../../local/stack-settings.ts";
import type { WalkedPlaces } from "../../test/browser/pages/page-walks.ts";
import { environmentOf } from "../bench/calls/measure-in-stack.ts";
import {
  mainDrop,
  type SampleDrop,
  type SampleThread,
  shelfDrops,
  shelfFiles,
} from "./screenshot-content.ts";

/** Published samples for the screenshots. */
export type Samples = Omit<WalkedPlaces, "address" | "ownerUsername">;

/** Namespace of the samples' owner. */
const ownerName = "mara";

const dayMs = 24 * 60 * 60 * 1000;

/** Publishes the samples with a token, and gives them earlier dates, as in a library that has grown. */
export async function publishSamples(cloud: LocalCloud, token: string): Promise<Samples> {
  const api = apiCaller(cloud.address, token);
  const { user_id: userId } = await api<{ user_id: string }>("GET", "/api/me");
  // The stores read the name of the table and its endpoint from the environment.
  Object.assign(process.env, await environmentOf(cloud));
  const published: DropResponse[] = [];
  const publish = async (sample: SampleDrop): Promise<DropResponse> => {
    const { title, description, context, passcode, versionAgesDays, html, threads } = sample;
    const feedback = threads === undefined ? undefined : "readers";
    const first = { title, description, context, passcode, feedback, html: html(1) };
    const drop = await api<DropResponse>("POST", "/api/drops", JSON.stringify(first));
    for (const [index, ageDays] of versionAgesDays.entries()) {
      const number = index + 1;
      const next = { html: html(number), ...(number % 2 === 0 ? { context } : {}) };
      if (number > 1) await api("PUT", `/api/drops/${drop.slug}`, JSON.stringify(next));
      await setValues(keys.version(drop.slug, number), { createdAtMs: momentOf(ageDays) });
    }
    const updatedAtMs = momentOf(versionAgesDays.at(-1) ?? 0);
    await setValues(keys.drop(userId, drop.slug), { updatedAtMs });
    await writeItems({ puts: itemsOf(drop.slug, userId, threads ?? []) });
    published.push(drop);
    return drop;
  };

  const main = await publish(mainDrop);
  let locked = main;
  for (const sample of shelfDrops) {
    const drop = await publish(sample);
    if (sample.passcode !== undefined) locked = drop;
  }
  for (const { filename, contentType, sizeBytes, ageDays } of shelfFiles) {
    const path = `/api/blobs?${new URLSearchParams({ filename })}`;
    const blob = await api<BlobResponse>("POST", path, "a sample", contentType);
    await setValues(keys.blob(userId, blob.id), { createdAtMs: momentOf(ageDays), sizeBytes });
  }
  if (hasBrowser) for (const { slug } of published) await whenRendered(api, slug);
  return { dropUrl: main.url, lockedUrl: locked.url, ownerUrl: new URL("/", main.url).href };
}

/** Feedback of the samples as items of the table. */
function itemsOf(slug: string, ownerId: string, threads: readonly SampleThread[]): Item[] {
  return threads.flatMap(({ quote, version, state, comments }, index) => {
    const thread = index + 1;
    const moments = comments.map(({ ageDays }) => momentOf(ageDays));
    const [createdAtMs = 0, updatedAtMs = moments.at(-1) ?? 0] = [moments[0], moments.at(-1)];
    const counted = { commentCount: comments.length, createdAtMs, updatedAtMs };
    return [
      toThreadItem({ slug, thread, state, quote, version, ...counted }),
      ...comments.map(({ name, text }, at) =>
        toCommentItem(
          {
            slug,
            thread,
            comment: at + 1,
            sequence: thread * 10 + at,
            author:
              name === undefined
                ? { kind: "owner", name: ownerName }
                : { kind: "reader", name, identity: `sample#${name}` },
            text,
            version,
            createdAtMs: moments[at] ?? 0,
          },
          ownerId,
        ),
      ),
    ];
  });
}

/** Waits for the thumbnail of a drop, which lists show. */
async function whenRendered(api: ApiCaller, slug: string): Promise<void> {
  for (;;) {
    const { state, retry_after_seconds: seconds = 1 } = await api<RenderState>(
      "GET",
      `/api/drops/${slug}/render`,
    );
    if (state !== "asked") return;
    await wait(seconds * 1000);
  }
}

interface RenderState {
  readonly state: string;
  readonly retry_after_seconds?: number;
}

type ApiCaller = <Body>(method: string, path: string, body?: string, contentType?: string) => Promise<Body>;

function apiCaller(address: string, token: string): ApiCaller {
  return async (method, path, body, contentType = "application/json") => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { "content-type": contentType } : {}) };
    const response = await fetch(address + path, { method, headers, ...(body ? { body } : {}) });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

async function setValues(key: Key, values: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(values);
  const { updated } = await updateItem({
    key,
    update: `SET ${names.map((name) => `${name} = :${name}`).join(", ")}`,
    condition: "attribute_exists(pk)",
    values: Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
  });
  if (!updated) throw new Error(`There is no item ${key.pk} ${key.sk}.`);
}

/** Moment so many days ago, at an hour that differs between samples. */
function momentOf(ageDays: number): number {
  return Date.now() - ageDays * dayMs - (ageDays % 7) * 4_321_000;
}
