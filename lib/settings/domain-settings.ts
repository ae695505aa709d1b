import * as z from "zod";
import { checkedText, isThisMachine, parseUrl, quote, text } from "./setting-kinds.ts";

const originForm = 'use only a scheme and host, such as "https://drops.example.com"';

/** An origin with scheme and host: no path, no credentials, no default port, and a lower-case host. */
export const originOfService = checkedText(originForm, (value) => {
  const url = parseUrl(value);
  if (url?.origin !== value) return originForm;
  if (url.protocol === "https:")
    return url.port === "" ? undefined : "leave out the port; CloudFront has 443 only";
  return isThisMachine(url.hostname) ? undefined : "use https; http is for localhost only";
});

const domainForm = 'use a lower-case domain only, such as "drops.example.com"';

/** A domain name. On localhost, it may include a port. */
export const lowerCaseDomain = checkedText(domainForm, (value) =>
  parseUrl(`https://${value}`)?.host === value ? undefined : domainForm,
);

export const certificateArn = text(
  /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
  'CloudFront accepts only certificates from us-east-1, such as "arn:aws:acm:us-east-1:111122223333:certificate/…"',
);

export const zoneExample = '{ id: "Z0123456789ABCDEFGHIJ", name: "example.com" }';

const zoneNameForm = 'use the name of a zone, such as "example.com"';

/** A public Amazon Route 53 zone. */
export const hostedZone = z.strictObject(
  {
    /** Zone id, such as `Z0123456789ABCDEFGHIJ`. */
    id: text(/^Z[A-Z0-9]{1,31}$/, 'use the id of a zone, such as "Z0123456789ABCDEFGHIJ"'),
    /** Zone name, such as `example.com`. */
    name: checkedText(zoneNameForm, (value) =>
      parseUrl(`https://${value}`)?.hostname === value ? undefined : zoneNameForm,
    ),
  },
  `use the id and name of a zone, such as ${zoneExample}`,
);

export type HostedZoneSettings = Readonly<z.input<typeof hostedZone>>;

/** The settings for host names, certificate and zones, which are validated together. */
export interface DomainSettings {
  readonly baseUrl?: string | undefined;
  readonly baseDomain?: string | undefined;
  readonly certificateArn?: string | undefined;
  readonly hostedZone?: HostedZoneSettings | undefined;
  readonly baseDomainHostedZone?: HostedZoneSettings | undefined;
}

/** Finds conflicts between host names, certificate and zones. Returns a line for each. */
export function domainProblems(settings: DomainSettings): (string | false)[] {
  const { baseUrl, baseDomain } = settings;
  return [
    baseDomain !== undefined &&
      baseUrl === undefined &&
      'baseDomain is set and baseUrl is not: set baseUrl too, such as "https://drops.example.com"',
    mixedProblem(settings),
    ...nameLengthProblems(settings),
    ...httpsProblems(settings),
    ...coverageProblems(settings),
  ];
}

/**
 * Refuses an http base URL on localhost together with owners' hosts elsewhere. Browsers send fetch metadata only over https and to
 * localhost, so redirects between the two kinds of hosts would loop.
 */
function mixedProblem({ baseDomain, baseUrl }: DomainSettings): string | false {
  const url = parseUrl(baseUrl ?? "");
  const owners = parseUrl(`http://${baseDomain ?? url?.host}`);
  if (url?.protocol !== "http:" || owners === undefined || isThisMachine(owners.hostname)) return false;
  return `baseDomain is ${quote(baseDomain)}, and baseUrl uses http, which is only for localhost: use "${url.host}"`;
}

/** Maximum length of the first domain name in a certificate; see "RequestCertificate", AWS Certificate Manager API reference. */
const certificateNameMax = 64;

/** Maximum length of a host name without the final dot, and of one of its labels, such as an owner's name (RFC 1035, section 2.3.4). */
const hostMax = 253;
const labelMax = 63;

/** Refuses base URLs whose host is too long for the stack's certificate, and owners' hosts that are too long for DNS. */
function nameLengthProblems({ baseUrl, baseDomain, certificateArn, hostedZone }: DomainSettings) {
  const host = parseUrl(baseUrl ?? "")?.hostname ?? "";
  const max = hostedZone === undefined || certificateArn !== undefined ? hostMax : certificateNameMax;
  const ownersMax = hostMax - labelMax - 1;
  const owners = baseDomain ?? host;
  return [
    host.length > max &&
      `baseUrl is ${quote(baseUrl)}, whose host has ${host.length} characters: use a host with at most ${max} characters`,
    owners.length > ownersMax &&
      `baseDomain is ${quote(owners)}, which has ${owners.length} characters: use a domain with at most ${ownersMax}, so that owners' names fit before it`,
  ];
}

/** Requires a certificate for an https base URL, and an https base URL for a certificate or a zone. */
function httpsProblems({ baseUrl, certificateArn, hostedZone, baseDomainHostedZone }: DomainSettings) {
  if (baseUrl?.startsWith("https:")) {
    return [
      certificateArn === undefined &&
        hostedZone === undefined &&
        `baseUrl is ${quote(baseUrl)}, which has no certificate: set hostedZone, such as ${zoneExample}, or certificateArn`,
    ];
  }
  return Object.entries({ certificateArn, hostedZone, baseDomainHostedZone }).map(
    ([name, value]) =>
      value !== undefined &&
      `${name} is set without an https baseUrl: set baseUrl too, such as "https://drops.example.com"`,
  );
}

/** Requires each host name to be in the zone that contains its records. */
function coverageProblems(settings: DomainSettings) {
  const { baseUrl, hostedZone, baseDomainHostedZone } = settings;
  const baseHost = parseUrl(baseUrl ?? "")?.hostname;
  if (baseHost === undefined) return [];
  const baseDomain = settings.baseDomain ?? baseHost;
  if (hostedZone === undefined)
    return [
      baseDomainHostedZone !== undefined &&
        "baseDomainHostedZone is set and hostedZone is not: set hostedZone too",
    ];
  const ownersZone = baseDomainHostedZone ?? hostedZone;
  return [
    !isIn(hostedZone, baseHost) &&
      `hostedZone is ${quote(hostedZone.name)}, which does not contain ${baseHost}: use the zone that contains it`,
    !isIn(ownersZone, baseDomain) &&
      `baseDomain is ${quote(baseDomain)}, which is not in ${quote(ownersZone.name)}: ` +
        "set baseDomainHostedZone to the zone that contains it",
  ];
}

function isIn({ name }: HostedZoneSettings, host: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}
