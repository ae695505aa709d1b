import type { Settings } from "../settings.ts";
import type { HostedZoneSettings } from "./domain-settings.ts";

/** Host names that the operator has configured, with their certificate and zones. */
export interface Domain {
  /** Base URL, such as `https://drops.example.com`. */
  readonly baseUrl: string;
  /** Host of the base URL, with the port. */
  readonly baseHost: string;
  /** Parent domain of the owners' hosts. */
  readonly baseDomain: string;
  readonly isHttps: boolean;
  readonly certificateArn: string | undefined;
  /** Zone of the base URL's host. */
  readonly hostedZone: HostedZoneSettings | undefined;
  /** Zone of the base domain, if it differs from the base URL's zone. */
  readonly baseDomainHostedZone: HostedZoneSettings | undefined;
}

/** Returns the configured host names, or undefined if the service uses the distribution's own name. */
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
