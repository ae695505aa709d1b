import { setTimeout as wait } from "node:timers/promises";
import type { LocalCloud } from "@dropleaf/local-cloud";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { toCommentItem, toThreadItem } from "../../functions/feedback/items.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { getItem, type Item } from "../../functions/table/table.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { renderingProblem } from "../../local/stack-settings.ts";
import type { WalkedPlaces } from "../../test/browser/pages/page-walks.ts";
import { environmentOf } from "../../test/support/stack-environment.ts";
import { mainDrop, type SampleDrop, shelfDrops, shelfFiles } from "./content.ts";

/** Addresses of the published samples. */
type Samples = Omit<WalkedPlaces, "address" | "ownerUsername">;

const pollPage =
  '<!doctype html><html lang="en"><title>Poll</title><h1>Which day suits you?</h1><form data-answers="day">' +
  '<label><input type="radio" name="day" value="Friday" checked> Friday</label> <button>Vote</button></form></html>';

/** Publishes the samples with a token. Changes the samples' dates, so that the library seems to have grown over time. */
export async function publishSamples(cloud: LocalCloud, token: string): Promise<Samples> {
  const api = apiCaller(cloud.address, token);
  const { user_id: userId } = await api("GET", "/api/me");
  // The stores read the table's name and endpoint from these variables.
  Object.assign(process.env, await environmentOf(cloud));
  const published: DropResponse[] = [];
  const publish = async (sample: SampleDrop): Promise<DropResponse> => {
    const { title, description, context, passcode, versionAgesDays, html, threads } = sample;
    const feedback = threads === undefined ? undefined : "readers";
    const first = { title, description, context, passcode, feedback, html: html(1) };
    const drop: DropResponse = await api("POST", "/api/drops", JSON.stringify(first));
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
  for (const sample of shelfDrops) await publish(sample);
  const locked = published[1 + shelfDrops.findIndex(({ passcode }) => passcode !== undefined)] ?? main;
  for (const { filename, contentType, sizeBytes, ageDays } of shelfFiles) {
    const path = `/api/blobs?${new URLSearchParams({ filename })}`;
    const blob: { id: string } = await api("POST", path, "a sample", contentType);
    await setValues(keys.blob(userId, blob.id), { createdAtMs: momentOf(ageDays), sizeBytes });
  }
  if (renderingProblem === undefined) for (const { slug } of published) await whenRendered(api, slug);
  const form = { html: pollPage, title: "Which day suits you?", visibility: "unlisted", answers: "readers" };
  const poll: DropResponse = await api("POST", "/api/drops", JSON.stringify(form));
  const pollUrl = `${cloud.address}/p/${poll.slug}`;
  return { dropUrl: main.url, lockedUrl: locked.url, pollUrl, ownerUrl: new URL("/", main.url).href };
}

/** Builds the table items of sample feedback on version 4, the latest version of the main drop. */
function itemsOf(slug: string, ownerId: string, threads: NonNullable<SampleDrop["threads"]>): Item[] {
  const at = { version: 4, createdAtMs: momentOf(1.2) };
  return threads.flatMap(([quote, ...comments], index) => {
    const place = { slug, thread: index + 1, ...at };
    const counted = { commentCount: comments.length, updatedAtMs: at.createdAtMs };
    return [
      toThreadItem({ ...place, state: "open", quote, ...counted }),
      ...comments.map((text, number) => {
        const reader = { kind: "reader", name: "ida.b", identity: "sample#ida.b" } as const;
        const author = number === 0 ? reader : ({ kind: "owner", name: "mara" } as const);
        const numbers = { comment: number + 1, sequence: index * 10 + number };
        return toCommentItem({ ...place, ...numbers, author, text }, ownerId);
      }),
    ];
  });
}

/** Waits until a drop's thumbnail is rendered, because lists show it. */
async function whenRendered(api: ApiCaller, slug: string): Promise<void> {
  const render = await api("GET", `/api/drops/${slug}/render`);
  if (render.state !== "asked") return;
  await wait((render.retry_after_seconds ?? 1) * 1000);
  await whenRendered(api, slug);
}

type ApiCaller = ReturnType<typeof apiCaller>;

function apiCaller(address: string, token: string) {
  return async (method: string, path: string, body?: string, type = "application/json") => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { "content-type": type } : {}) };
    const response = await fetch(address + path, { method, headers, ...(body ? { body } : {}) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

async function setValues(key: Key, values: Readonly<Record<string, number>>): Promise<void> {
  const item = await getItem(key);
  if (item === undefined) throw new Error(`There is no item ${key.pk} ${key.sk}.`);
  await writeItems({ puts: [{ ...item, ...key, ...values }] });
}

/** Returns a time the given number of days ago, at an hour that differs between samples. */
function momentOf(ageDays: number): number {
  return Date.now() - ageDays * 24 * 60 * 60 * 1000 - (ageDays % 7) * 4_321_000;
}
