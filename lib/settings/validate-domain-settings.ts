import type { HostedZoneSettings, Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";

const zoneExample = '{ id: "Z0123456789ABCDEFGHIJ", name: "example.com" }';

/** Problems with host names, certificate and zones: a line for each. */
export function domainProblems(settings: Settings): string[] {
  return [
    ...baseUrlProblems(settings),
    ...baseDomainProblems(settings),
    ...certificateProblems(settings),
    ...nameLengthProblems(settings),
    ...hostedZoneProblems("hostedZone", settings.hostedZone),
    ...hostedZoneProblems("baseDomainHostedZone", settings.baseDomainHostedZone),
    ...httpsProblems(settings),
    ...coverageProblems(settings),
  ];
}

function baseUrlProblems({ baseUrl }: Settings): string[] {
  if (baseUrl === undefined) return [];
  const instead = `baseUrl is ${quote(baseUrl)}: write scheme and host only, such as "https://drops.example.com"`;
  const url = parseUrl(baseUrl);
  // The origin has no path, no credentials, no default port and a lower-case host.
  if (url === undefined || url.origin !== baseUrl) return [instead];
  if (url.protocol === "https:") {
    return url.port === "" ? [] : [`baseUrl is ${quote(baseUrl)}: write no port; CloudFront has 443 only`];
  }
  if (isThisMachine(url.hostname)) return [];
  return [`baseUrl is ${quote(baseUrl)}: write https; http is for localhost only`];
}

function baseDomainProblems({ baseDomain, baseUrl }: Settings): string[] {
  if (baseDomain === undefined) return [];
  const host = parseUrl(`https://${baseDomain}`)?.host;
  return problemsOf(
    host !== baseDomain &&
      `baseDomain is ${quote(baseDomain)}: write a lower-case domain only, such as "drops.example.com"`,
    baseUrl === undefined &&
      'baseDomain is set and baseUrl is not: write baseUrl too, such as "https://drops.example.com"',
    ...mixedProblems(baseDomain, baseUrl),
  );
}

/** Browsers send fetch metadata only over https and to this machine. Both names must be of one kind, or redirects loop. */
function mixedProblems(baseDomain: string, baseUrl: string | undefined): string[] {
  const url = parseUrl(baseUrl ?? "");
  const owners = parseUrl(`http://${baseDomain}`);
  if (url?.protocol !== "http:" || owners === undefined || isThisMachine(owners.hostname)) return [];
  return [
    `baseDomain is ${quote(baseDomain)}, and baseUrl has http, which is for localhost only: write "${url.host}"`,
  ];
}

function certificateProblems({ certificateArn }: Settings): string[] {
  if (certificateArn === undefined) return [];
  if (/^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(String(certificateArn))) return [];
  return [
    `certificateArn is ${quote(certificateArn)}: CloudFront takes certificates of us-east-1 only, ` +
      'such as "arn:aws:acm:us-east-1:111122223333:certificate/…"',
  ];
}

/** AWS Certificate Manager API reference, "RequestCertificate": the length of a certificate's first name. */
const certificateNameMax = 64;

/** RFC 1035, section 2.3.4: a host without the dot at its end, and one of its labels, such as an owner's name. */
const hostMax = 253;
const labelMax = 63;

/** Refuses hosts that no certificate of the stack can be for, and owners' hosts that are longer than a host may be. */
function nameLengthProblems({ baseUrl, baseDomain, certificateArn, hostedZone }: Settings): string[] {
  const host = parseUrl(baseUrl ?? "")?.hostname ?? "";
  const max = hostedZone === undefined || certificateArn !== undefined ? hostMax : certificateNameMax;
  const ownersMax = hostMax - labelMax - 1;
  const owners = baseDomain ?? host;
  return problemsOf(
    host.length > max &&
      `baseUrl is ${quote(baseUrl)}, whose host has ${host.length} characters: write a host of ${max} at most`,
    owners.length > ownersMax &&
      `baseDomain is ${quote(owners)}, which has ${owners.length} characters: write one of ${ownersMax} at most, so that owners' names fit before it`,
  );
}

function hostedZoneProblems(setting: string, zone: HostedZoneSettings | undefined): string[] {
  if (zone === undefined) return [];
  const instead = [`${setting} is ${quote(zone)}: write the id and name of a zone, such as ${zoneExample}`];
  if (typeof zone !== "object" || zone === null) return instead;
  const unknown = unknownNameProblems(zone, ["id", "name"], setting);
  const isUsable =
    /^Z[A-Z0-9]{1,31}$/.test(String(zone.id)) && parseUrl(`https://${zone.name}`)?.hostname === zone.name;
  return isUsable ? unknown : [...unknown, ...instead];
}

/** Requires a certificate for https, and https for certificate and zones. */
function httpsProblems({ baseUrl, certificateArn, hostedZone, baseDomainHostedZone }: Settings): string[] {
  const isHttps = baseUrl !== undefined && parseUrl(baseUrl)?.protocol === "https:";
  const given = Object.entries({ certificateArn, hostedZone, baseDomainHostedZone })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (isHttps) {
    if (certificateArn !== undefined || hostedZone !== undefined) return [];
    return [
      `baseUrl is ${quote(baseUrl)} and there is no certificate for it: write hostedZone, such as ${zoneExample}, ` +
        "or certificateArn",
    ];
  }
  return given.map(
    (name) =>
      `${name} is set without an https baseUrl: write baseUrl too, such as "https://drops.example.com"`,
  );
}

/** Requires each name to be in the zone of its records. */
function coverageProblems(settings: Settings): string[] {
  const { baseUrl, hostedZone, baseDomainHostedZone } = settings;
  const baseHost = parseUrl(baseUrl ?? "")?.hostname;
  if (baseHost === undefined) return [];
  const baseDomain = settings.baseDomain ?? baseHost;
  if (hostedZone === undefined) {
    if (baseDomainHostedZone === undefined) return [];
    return ["baseDomainHostedZone is set and hostedZone is not: write hostedZone too"];
  }
  const ownersZone = baseDomainHostedZone ?? hostedZone;
  return problemsOf(
    !isIn(hostedZone, baseHost) &&
      `hostedZone is ${quote(hostedZone.name)}, which does not hold ${baseHost}: write the zone that does`,
    !isIn(ownersZone, baseDomain) &&
      `baseDomain is ${quote(baseDomain)}, which is not in ${quote(ownersZone.name)}: ` +
        "write the zone that holds it as baseDomainHostedZone",
  );
}

function isIn({ name }: HostedZoneSettings, host: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/** The address in a text. Undefined: there is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Recognizes addresses with https, and those of this machine. */
export function isHttpsOrThisMachine(url: URL | undefined): boolean {
  return url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(url.hostname));
}

/** Recognizes hosts of this machine, which need no https. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1";
}
