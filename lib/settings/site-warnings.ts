import { Annotations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { parse } from "tldts";
import type { Domain } from "./domain.ts";
import { isThisMachine } from "./setting-kinds.ts";

const more = `See docs/security.md, "Owners' hosts may be one site with others".`;

/**
 * Warns if browsers treat the owners' hosts and other hosts as one site, as defined by the Public Suffix List. Untrusted scripts on owners'
 * hosts could then set cookies for the whole site, and request its passkeys.
 */
export function warnOfSharedSite(scope: Construct, domain: Domain | undefined): void {
  if (domain === undefined) return;
  const { baseDomain, baseHost } = domain;
  const site = siteOf(baseDomain);
  if (site === undefined) return;
  const annotations = Annotations.of(scope);
  if (site !== baseDomain) {
    annotations.addWarningV2(
      "dropleaf:owners-below-a-site",
      `baseDomain is ${baseDomain}, which is part of the site ${site}. Any published page can set cookies for ` +
        `all of ${site}, send it requests with the visitor's SameSite cookies, and request passkeys of ${site}. ` +
        `If other services use this site, set baseDomain to a domain that you bought only for Dropleaf, such as ` +
        `"example.page", or add ${baseDomain} to the Public Suffix List (publicsuffix.org). ${more}`,
    );
  } else if (siteOf(baseHost) === site) {
    annotations.addWarningV2(
      "dropleaf:owners-share-the-site",
      `baseDomain and baseUrl belong to the same site, ${site}. Any published page can set so many cookies for this site that ` +
        `the visitor's browser can no longer sign in. Set baseDomain to a domain that you bought only for Dropleaf, such as ` +
        `"example.page", or add ${baseDomain} to the Public Suffix List (publicsuffix.org). ${more}`,
    );
  }
}

/** Returns the site of a host name, which is its registrable domain. Returns undefined for localhost and for public suffixes. */
function siteOf(name: string): string | undefined {
  const { hostname } = new URL(`http://${name}`);
  if (isThisMachine(hostname)) return undefined;
  return parse(hostname, { allowPrivateDomains: true }).domain ?? undefined;
}
