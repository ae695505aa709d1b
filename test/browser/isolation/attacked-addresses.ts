import type { Route } from "../../../functions/http/route.ts";
import { routes } from "../../../functions/routes.ts";
import { ownerName } from "../../support/owner-address.ts";
import { attackersDigest, type GuardedGround, guards, hostsOf } from "./guarded-ground.ts";

/** An address that a hostile page attacks. */
export interface AttackedAddress {
  readonly url: string;
  /** Slug of the drop behind the address. @default - no drop */
  readonly slug?: string;
}

const rows: readonly Route[] = Object.values(routes);

/** Routes for people. Routes that require a token, or serve the same document to everyone, are left out. */
const opened = rows.filter(
  ({ caller, resource }) => caller !== "token" && resource !== "discovery" && resource !== "mcp",
);

/** Returns every address of a drop on both hosts, and every query that starts a sign-in for it. */
export function addressesOfDrop(ground: GuardedGround, slug: string): readonly AttackedAddress[] {
  const hosts = hostsOf(ground);
  const paths = opened
    .filter(({ method }) => method === "GET")
    .flatMap((row) => placesOf(row, hosts))
    .filter((place) => place.includes("{slug}"))
    .map((place) => place.replace("{slug}", slug).replace("{path+}", ""));
  const queries = [
    `to=${encodeURIComponent(`/p/${slug}`)}`,
    `to=${encodeURIComponent(`/p/${slug}/raw`)}`,
    `to=${encodeURIComponent(`${hosts.owner}/p/${slug}/raw`)}`,
    // In an earlier version, this query gave a page a ticket to read the drop.
    `slug=${slug}&at=owner&from=p&bind=${attackersDigest}`,
  ].map((query) => `${hosts.base}${routes["admit-reader"].path}?${query}`);
  return [...paths, ...queries].map((url) => ({ url, slug }));
}

/** Returns the drop's addresses that people share, and the sign-ins that redirect to them. */
export function entrancesOfDrop(ground: GuardedGround, slug: string): readonly AttackedAddress[] {
  return addressesOfDrop(ground, slug).filter(({ url }) =>
    /\/[pd]\/\w{7}$|\/raw$|\/login\/read\?(to=%2Fp%2F\w{7}$|slug=)/.test(url),
  );
}

/** Returns every other address of the base host and the owner's host that serves sign-in, reading or client authorization. */
export function otherAddresses(ground: GuardedGround): readonly AttackedAddress[] {
  const { code, consentUrl, fileUrl, drops } = ground;
  const hosts = hostsOf(ground);
  const file = /[A-Za-z0-9]{7}$/.exec(fileUrl)?.[0] ?? "";
  const queries: Readonly<Record<string, readonly string[]>> = {
    "show-verify-page": [`?code=${code}`],
    "authorize-sign-in": [`?code=${code}&proof=guess`],
    "complete-sign-in": [`?code=x&state=${code}`],
    "admit-reader": [
      "",
      ...[
        "/account",
        "/account/files",
        "/account/tokens",
        "/library",
        new URL(fileUrl).pathname,
        fileUrl,
      ].map((to) => `?to=${encodeURIComponent(to)}`),
    ],
    "show-consent": [new URL(consentUrl).search],
    "read-oembed": guards.map((guard) => `?url=${encodeURIComponent(drops[guard].url)}`),
  };
  const urls = opened
    .filter(({ method }) => method === "GET")
    .flatMap((row) =>
      (queries[row.id] ?? [""]).flatMap((query) => placesOf(row, hosts).map((place) => place + query)),
    )
    .filter((place) => !place.includes("{slug}") && !place.includes("{proxy+}"))
    .map((place) =>
      place
        .replace("{id}", file)
        .replace("{namespace}", ownerName(fileUrl))
        .replace("{key}", `k${"x".repeat(43)}`)
        .replace("/owner", "/"),
    );
  return urls.map((url) => ({ url }));
}

/** Returns every address that accepts a form for these drops. */
export function formAddresses(ground: GuardedGround, slugs: readonly string[]): readonly string[] {
  const hosts = hostsOf(ground);
  const places = opened.filter(({ method }) => method === "POST").flatMap((row) => placesOf(row, hosts));
  const ofDrops = slugs.flatMap((slug) => places.map((place) => place.replace(/\{slug\}|\{id\}/, slug)));
  return [...new Set(ofDrops)];
}

function placesOf(row: Route, hosts: Readonly<Record<"owner" | "base", string>>): readonly string[] {
  return [row, ...(row.alsoAt ? [row.alsoAt] : [])].flatMap(({ path, host }) =>
    (["owner", "base"] as const)
      .filter((one) => host === one || host === "any")
      .map((one) => hosts[one] + path),
  );
}
