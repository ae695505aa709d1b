import { Certificate, CertificateValidation, type ICertificate } from "aws-cdk-lib/aws-certificatemanager";
import type { IDistribution } from "aws-cdk-lib/aws-cloudfront";
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { Construct } from "constructs";
import type { Domain } from "../settings/domain.ts";
import type { HostedZoneSettings } from "../settings/domain-settings.ts";

export interface OwnDomainProps {
  readonly domain: Domain;
}

/** A host name that the distribution serves. */
interface ServedName {
  readonly id: "Base" | "Owners";
  readonly name: string;
  /** Zone for the host's DNS records. Undefined if the operator manages the records. */
  readonly zone: IHostedZone | undefined;
}

/** The host names of the service and its owners, with their certificate and the DNS records that point to the edge. */
export class OwnDomain extends Construct {
  /** Certificate for the host names. Undefined if the distribution keeps its own name. */
  readonly certificate: ICertificate | undefined;
  readonly #names: readonly ServedName[];

  constructor(scope: Construct, id: string, { domain }: OwnDomainProps) {
    super(scope, id);
    const { baseHost, baseDomain, hostedZone, baseDomainHostedZone } = domain;
    const zone = hostedZone && this.#zone("Zone", hostedZone);
    const ownersZone = baseDomainHostedZone ? this.#zone("BaseDomainZone", baseDomainHostedZone) : zone;
    this.#names = [
      { id: "Base", name: baseHost, zone },
      { id: "Owners", name: `*.${baseDomain}`, zone: ownersZone },
    ];
    this.certificate = this.#findCertificate(domain);
  }

  /** Host names of the distribution. */
  get names(): string[] {
    return this.#names.map(({ name }) => name);
  }

  /** Adds DNS records that point the host names to the edge, for IPv4 and IPv6. Does nothing if the operator manages the records. */
  pointTo(distribution: IDistribution): void {
    const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
    for (const { id, name, zone } of this.#names) {
      if (zone === undefined) continue;
      // A name that ends with a dot is fully qualified, so the zone's name is not appended.
      const props = { zone, recordName: `${name}.`, target };
      new ARecord(this, `${id}Ipv4`, props);
      new AaaaRecord(this, `${id}Ipv6`, props);
    }
  }

  /** Refers to the zone by id and name, so that synthesis needs no lookup. */
  #zone(id: string, zone: HostedZoneSettings): IHostedZone {
    return HostedZone.fromHostedZoneAttributes(this, id, { hostedZoneId: zone.id, zoneName: zone.name });
  }

  #findCertificate({ certificateArn, baseHost, baseDomain }: Domain): ICertificate | undefined {
    if (certificateArn !== undefined) {
      return Certificate.fromCertificateArn(this, "GivenCertificate", certificateArn);
    }
    const zones = this.#names.flatMap(({ name, zone }) => (zone ? [[name, zone] as const] : []));
    if (zones.length === 0) return undefined;
    return new Certificate(this, "Certificate", {
      domainName: baseHost,
      subjectAlternativeNames: [`*.${baseDomain}`],
      validation: CertificateValidation.fromDnsMultiZone(Object.fromEntries(zones)),
    });
  }
}
