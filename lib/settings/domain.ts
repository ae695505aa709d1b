import type { Settings } from "../settings.ts";
import type { HostedZoneSettings } from "./domain-settings.ts";

/** The names that the operator chose for the service. */
export interface Domain {
  /** Such as `https://drops.example.com`. */
  readonly baseUrl: string;
  /** The host of the base URL, with its port. */
  readonly baseHost: string;
  /** Parent domain of the owners' hosts. */
  readonly baseDomain: string;
  readonly isHttps: boolean;
  readonly certificateArn: string | undefined;
  /** Zone of the base URL's host. */
  readonly hostedZone: HostedZoneSettings | undefined;
  /** Zone of the base domain, if it is another. */
  readonly baseDomainHostedZone: HostedZoneSettings | undefined;
}

/** The service's names; undefined if it uses the distribution's own. */
export function domainOf(settings: Settings): Domain | undefined {
  const { baseUrl, baseDomain, certificateArn, hostedZone, baseDomainHostedZone } = settings;
  if (baseUrl === undefined) return undefined;
  const { host, protocol } = new URL(baseUrl);
  return {
    baseUrl,
    baseHost: host,
    baseDomain: baseDomain ?? host,
    isHttps: protocol === "https:",
    certificateArn,
    hostedZone,
    baseDomainHostedZone,
  };
}
