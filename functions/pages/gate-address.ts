import { joinQuery } from "../platform/page-query.ts";
import { type SiteHost, seenPath } from "../platform/site.ts";
import type { EntranceAddress } from "../readers/destination.ts";

/** Which of a drop's addresses the gate stands at, and what was asked for there. */
export interface GateAddress extends EntranceAddress {
  readonly host: SiteHost;
  readonly slug: string;
}

/** The path and query that a gate stands at. */
export function gatedPath({ host, slug, from, version, pageQuery }: GateAddress): string {
  const viewer = `/p/${slug}`;
  const path = seenPath(host, from === "p" ? viewer : from === "d" ? `/d/${slug}` : `${viewer}/${from}`);
  return path + joinQuery(version === undefined ? undefined : `v=${version}`, pageQuery);
}
