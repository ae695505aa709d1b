import type { OnboardingResponse } from "../../functions/discovery/onboarding-schema.ts";
import { onboardingPath } from "../../functions/discovery/rows.ts";
import { baseUrl, fetchPage } from "./http.ts";

/** Base URL of the owner of a drop or file: a host, or a path below `/@`. */
export function ownerAddress(url: string): string {
  const found = /^(.*?)\/[dpb]\/[A-Za-z0-9]{7}(?:\/|\?|$)/.exec(url)?.[1];
  if (found === undefined) throw new Error(`${url} is not the address of a drop or a file.`);
  return found;
}

/** The address `/p/<slug>/raw` on the owner's host or path. Every drop has it, even one with its own host. */
export function rawPageOf({ url, slug }: { readonly url: string; readonly slug: string }): string {
  return `${ownerAddress(url)}/p/${slug}/raw`;
}

/** Recognizes the host of a folder. */
export function isFolderHost(url: string): boolean {
  return new URL(url).host.startsWith("f--");
}

/**
 * The address of a file in a folder, by the folder's `raw_url`. The prefix `@3/` or `@3-framed/` of the path selects
 * a pinned version; on a folder host, it becomes part of the host name.
 */
export function folderFile(rawUrl: string, path: string): string {
  if (!isFolderHost(rawUrl)) return `${rawUrl}/${path}`;
  const [, version, framed = "", rest] = /^@([1-9]\d*)(-framed)?\/(.*)$/.exec(path) ?? [];
  return version === undefined ? rawUrl + path : rawUrl.replace(".", `-v${version}${framed}.`) + rest;
}

/** The same path and query on the base host, which serves restricted content. */
export function onBaseHost(url: string): string {
  return baseUrl() + url.slice(ownerAddress(url).length);
}

/** The namespace in the address of an owner, drop or file. */
export function ownerName(url: string): string {
  const { hostname, pathname } = new URL(/\/[dpb]\//.test(url) ? ownerAddress(url) : url);
  return pathname === "/" ? (hostname.split(".")[0] ?? "") : pathname.slice("/@".length);
}

/** Base URL of an owner's namespace, as the service reports it. */
export async function addressOfOwner(name: string): Promise<string> {
  const { owner_url: template } = JSON.parse((await fetchPage(onboardingPath)).text) as OnboardingResponse;
  return template.replace("{namespace}", name);
}

/** Recognizes owner hosts. Without a domain, owners share the service's host. */
export function hasOwnOrigin(url: string): boolean {
  return !new URL(url).pathname.startsWith("/@");
}
