import { ACM } from "@aws-sdk/client-acm";
import { Route53 } from "@aws-sdk/client-route-53";
import type { Domain } from "../../../lib/settings/domain.ts";
import type { HostedZoneSettings } from "../../../lib/settings/domain-settings.ts";
import { edgeRegion } from "../../../lib/settings.ts";
import { listDistributions } from "./cloudfront.ts";
import { fails, type Result, undefinedFor, well } from "./finding.ts";

/** Resolves a domain to its name servers. */
export type ResolveNameServers = (domain: string) => Promise<string[]>;

/** Alternate domain names of the distribution. */
function namesOf({ baseHost, baseDomain }: Domain): [string, string] {
  return [baseHost, `*.${baseDomain}`];
}

export async function checkDistributions(domain: Domain | undefined, isNew: boolean): Promise<Result[]> {
  const distributions = await listDistributions();
  const wanted: readonly string[] = isNew && domain?.isHttps ? namesOf(domain) : [];
  const taken = distributions.flatMap(({ Id, Aliases }) =>
    (Aliases?.Items ?? []).filter((name) => wanted.includes(name)).map((name) => `${name} (${Id})`),
  );
  const verified: Result =
    distributions.length > 0
      ? well("the account has distributions, so it was verified")
      : {
          verdict: "unknown",
          says: "only the first distribution shows whether AWS has verified the account for CloudFront",
          todo: "Run npm run operator -- preflight --probe-cloudfront. It creates and deletes a disabled distribution, which costs nothing.",
        };
  if (taken.length === 0) return [verified];
  const says = `other distributions already use names of the service: ${taken.join(", ")}`;
  const todo =
    "Remove the names from these distributions, or set another baseUrl, because only one distribution can use a name.";
  return [verified, fails(says, todo)];
}

export async function checkCertificate(domain: Domain, CertificateArn: string, account: string) {
  const names = namesOf(domain);
  if (!CertificateArn.includes(`:${account}:`))
    return fails(`${CertificateArn} belongs to another account`, `Request a certificate in ${account}.`);
  const found = await new ACM({ region: edgeRegion })
    .describeCertificate({ CertificateArn })
    .catch(undefinedFor("ResourceNotFoundException"));
  if (found === undefined)
    return fails(`there is no ${CertificateArn}`, "Copy the ARN from Certificate Manager, us-east-1.");
  const { Status, SubjectAlternativeNames: covered = [], DomainName = "" } = found.Certificate ?? {};
  if (Status !== "ISSUED")
    return fails(
      `${CertificateArn} is ${Status}`,
      "Add the validation records that Certificate Manager shows to the domain's zone, and wait until the status is ISSUED.",
    );
  const missing = names.filter((name) => ![DomainName, ...covered].some((one) => covers(one, name)));
  const all = names.join(" and ");
  if (missing.length === 0) return well(`issued, for ${all}`);
  return fails(
    `${CertificateArn} does not cover ${missing.join(" and ")}`,
    `Request a certificate for ${all}.`,
  );
}

/** Returns true if a certificate's name covers a name. An asterisk stands for one label (RFC 6125, section 6.4.3). */
function covers(certified: string, name: string): boolean {
  if (certified === name) return true;
  const isWildcard = certified.startsWith("*.") && !name.startsWith("*.");
  return isWildcard && name.replace(/^[^.]+\./, "") === certified.slice(2);
}

/** Lists the hosted zones of a domain, each with the name of the record that the stack adds to the zone. */
export function zonesOf(domain: Domain | undefined): [zone: HostedZoneSettings, name: string][] {
  if (domain?.hostedZone === undefined) return [];
  const [base, owners] = namesOf(domain);
  return [
    [domain.hostedZone, base],
    [domain.baseDomainHostedZone ?? domain.hostedZone, owners],
  ];
}

export async function checkZone(
  { id, name: zoneName }: HostedZoneSettings,
  name: string,
  isNew: boolean,
  resolveNameServers: ResolveNameServers,
): Promise<Result> {
  const client = new Route53({ region: edgeRegion });
  const found = await client.getHostedZone({ Id: id }).catch(undefinedFor("NoSuchHostedZone"));
  if (found === undefined) return fails(`there is no zone ${id}`, 'Copy the id from "Hosted zone details".');
  const { HostedZone, DelegationSet } = found;
  if (HostedZone?.Name !== `${zoneName}.`)
    return fails(`${id} is the zone ${HostedZone?.Name}`, "Set the id and the name of the same zone.");
  if (HostedZone.Config?.PrivateZone)
    return fails(`${id} is private`, "Use the public zone. The certificate is validated through public DNS.");
  if (isNew) {
    const first = { HostedZoneId: id, StartRecordName: name, MaxItems: 10 };
    const { ResourceRecordSets: records = [] } = await client.listResourceRecordSets(first);
    const taken = records
      // Route 53 returns an asterisk as an octal escape.
      .filter((record) => record.Name?.replace("\\052", "*") === `${name}.`)
      .filter(({ Type }) => Type === "A" || Type === "AAAA" || Type === "CNAME");
    if (taken.length > 0)
      return fails(
        `${name} has records already: ${taken.map(({ Type }) => Type).join(", ")}`,
        "Delete these records, because CloudFormation cannot replace them. Or use another name.",
      );
  }
  return checkDelegation(zoneName, DelegationSet?.NameServers ?? [], resolveNameServers);
}

/** Checks that the domain is delegated to the zone's name servers, because a deployment would otherwise wait hours for its certificate. */
async function checkDelegation(
  zoneName: string,
  own: readonly string[],
  resolveNameServers: ResolveNameServers,
): Promise<Result> {
  const seen = await resolveNameServers(zoneName).catch((error: NodeJS.ErrnoException) => error);
  if (seen instanceof Error && !["ENODATA", "ENOTFOUND"].includes(seen.code ?? ""))
    return {
      verdict: "unchecked",
      says: `the DNS query for the domain's name servers failed: ${seen.message}`,
    };
  const servers = seen instanceof Error ? [] : seen;
  const delegated = servers.map((server) => server.replace(/\.$/, "").toLowerCase());
  if (own.some((server) => delegated.includes(server.toLowerCase())))
    return well("the domain is delegated to this zone");
  const now = delegated.length === 0 ? "nowhere" : `to ${delegated.join(", ")}`;
  return fails(
    `the domain is delegated ${now}, not to this zone's name servers`,
    `Set these name servers at the registrar of ${zoneName}: ${own.join(", ")}.`,
  );
}
