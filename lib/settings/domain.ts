import type { Settings } from "../settings.ts";
import type { HostedZoneSettings } from "./domain-settings.ts";

/** The names that an operator gave the service. */
export interface Domain {
  /** `https://drops.example.com` */
  readonly baseUrl: string;
  /** The host of the base URL, with the port where there is one. */
  readonly baseHost: string;
  /** Owners live one label below it. */
  readonly baseDomain: string;
  readonly isHttps: boolean;
  readonly certificateArn: string | undefined;
  /** Holds the base URL's host. */
  readonly hostedZone: HostedZoneSettings | undefined;
  /** Holds the base domain, where the other does not. */
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
