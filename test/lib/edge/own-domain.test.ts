import { describe, expect, test } from "vitest";
import type { Settings } from "../../../lib/settings.ts";
import { givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

const zone = { id: "Z0123456789ABCDEFGHIJ", name: "example.com" };
const ownersZone = { id: "Z9876543210ABCDEFGHIJ", name: "example.page" };
const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d";

/** Returns each record as `type name zone`. */
function recordsOf(settings: Settings): string[] {
  return Object.values(resourcesOf(givenStack(settings), "AWS::Route53::RecordSet"))
    .map(({ Properties: { Type, Name, HostedZoneId } }) => `${Type} ${Name} ${HostedZoneId}`)
    .sort();
}

function certificateOf(settings: Settings) {
  return onlyResource(givenStack(settings), "AWS::CertificateManager::Certificate").Properties;
}

function distributionOf(settings: Settings) {
  return onlyResource(givenStack(settings), "AWS::CloudFront::Distribution").Properties.DistributionConfig;
}

describe("a service in one zone", () => {
  const settings = { baseUrl: "https://drops.example.com", hostedZone: zone };

  test("has a certificate for itself and its owners, validated in the zone", () => {
    expect(certificateOf(settings)).toMatchObject({
      DomainName: "drops.example.com",
      SubjectAlternativeNames: ["*.drops.example.com"],
      ValidationMethod: "DNS",
      // One validation record covers both names.
      DomainValidationOptions: [{ DomainName: "drops.example.com", HostedZoneId: zone.id }],
    });
  });

  test("serves these names with TLS 1.2 or later, and has their IPv4 and IPv6 records", () => {
    expect(distributionOf(settings)).toMatchObject({
      Aliases: ["drops.example.com", "*.drops.example.com"],
      IPV6Enabled: true,
      ViewerCertificate: {
        AcmCertificateArn: { Ref: expect.stringMatching(/^EdgeOwnDomainCertificate/) },
        MinimumProtocolVersion: "TLSv1.2_2021",
        SslSupportMethod: "sni-only",
      },
    });
    expect(recordsOf(settings)).toEqual([
      `A *.drops.example.com. ${zone.id}`,
      `A drops.example.com. ${zone.id}`,
      `AAAA *.drops.example.com. ${zone.id}`,
      `AAAA drops.example.com. ${zone.id}`,
    ]);
  });

  test("can have its owners' hosts on the parent domain", () => {
    const above = { baseUrl: "https://app.example.com", baseDomain: "example.com", hostedZone: zone };

    expect(certificateOf(above).SubjectAlternativeNames).toEqual(["*.example.com"]);
    expect(recordsOf(above)).toContain(`A *.example.com. ${zone.id}`);
  });
});

test("owners' hosts on another domain have records and validation in its zone", () => {
  const settings = {
    baseUrl: "https://drops.example.com",
    baseDomain: "example.page",
    hostedZone: zone,
    baseDomainHostedZone: ownersZone,
  };

  expect(certificateOf(settings).DomainValidationOptions).toEqual([
    { DomainName: "drops.example.com", HostedZoneId: zone.id },
    { DomainName: "*.example.page", HostedZoneId: ownersZone.id },
  ]);
  expect(recordsOf(settings)).toEqual([
    `A *.example.page. ${ownersZone.id}`,
    `A drops.example.com. ${zone.id}`,
    `AAAA *.example.page. ${ownersZone.id}`,
    `AAAA drops.example.com. ${zone.id}`,
  ]);
});

test("a given certificate is used, and DNS records are created only in a given zone", () => {
  const settings = { baseUrl: "https://drops.example.com", certificateArn };
  const withZone = { ...settings, hostedZone: zone };

  for (const one of [settings, withZone]) {
    expect(distributionOf(one).ViewerCertificate.AcmCertificateArn).toBe(certificateArn);
    expect(resourcesOf(givenStack(one), "AWS::CertificateManager::Certificate")).toEqual({});
  }
  expect(recordsOf(settings)).toEqual([]);
  expect(recordsOf(withZone)).toHaveLength(4);
});

test("a service on this machine has neither certificate nor records", () => {
  const template = givenStack({ baseUrl: "http://localhost:8787" });

  expect(resourcesOf(template, "AWS::CertificateManager::Certificate")).toEqual({});
  expect(resourcesOf(template, "AWS::Route53::RecordSet")).toEqual({});
});
