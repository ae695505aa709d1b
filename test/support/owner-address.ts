import type { OnboardingResponse } from "../../functions/discovery/onboarding-schema.ts";
import { onboardingPath } from "../../functions/discovery/rows.ts";
import { baseUrl, fetchPage } from "./http.ts";

/** Base URL of a drop's or file's owner: a host, or a path below `/@`. */
export function ownerAddress(url: string): string {
  const found = /^(.*?)\/[dpb]\/[A-Za-z0-9]{7}(?:\/|\?|$)/.exec(url)?.[1];
  if (found === undefined) throw new Error(`${url} is not the address of a drop or a file.`);
  return found;
}

/** The address `/p/<slug>/raw` on the owner's host or path, which every drop has, whether it has a host of its own or not. */
export function rawPageOf({ url, slug }: { readonly url: string; readonly slug: string }): string {
  return `${ownerAddress(url)}/p/${slug}/raw`;
}

/** Recognizes the host of a folder. */
export function isFolderHost(url: string): boolean {
  return new URL(url).host.startsWith("f--");
}

/**
 * The address of a file of a folder by the folder's `raw_url`. `@3/` or `@3-framed/` before the path stands for a pinned version: of a host
 * it is in the name.
 */
export function folderFile(rawUrl: string, path: string): string {
  if (!isFolderHost(rawUrl)) return `${rawUrl}/${path}`;
  const [, version, framed = "", rest] = /^@([1-9]\d*)(-framed)?\/(.*)$/.exec(path) ?? [];
  return version === undefined ? rawUrl + path : rawUrl.replace(".", `-v${version}${framed}.`) + rest;
}

/** The same path and query on the base host, which serves what is not open to everybody. */
export function onBaseHost(url: string): string {
  return baseUrl() + url.slice(ownerAddress(url).length);
}

/** The namespace of the owner whose address, or whose drop's or file's, it is. */
export function ownerName(url: string): string {
  const { hostname, pathname } = new URL(/\/[dpb]\//.test(url) ? ownerAddress(url) : url);
  return pathname === "/" ? (hostname.split(".")[0] ?? "") : pathname.slice("/@".length);
}

/** Base URL of an owner's name, by the service itself. */
export async function addressOfOwner(name: string): Promise<string> {
  const { owner_url: template } = JSON.parse((await fetchPage(onboardingPath)).text) as OnboardingResponse;
  return template.replace("{namespace}", name);
}

/** Recognizes hosts of owners. Without a domain, owners share the service's host. */
export function hasOwnOrigin(url: string): boolean {
  return !new URL(url).pathname.startsWith("/@");
}
