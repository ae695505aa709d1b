import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import {
  givenHostingStack,
  givenStack,
  onlyResource,
  resourcesOf,
  type TemplateResource,
  variablesOf,
} from "./given-stack.ts";

const stateful = ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"];

describe("a stack with default settings", () => {
  const template = givenStack();

  test("has the same template in the tests' cache as when it is synthesized", () => {
    expect(template.toJSON()).toEqual(Template.fromStack(givenHostingStack()).toJSON());
  });

  test("has no fixed URL in its functions, because the distribution depends on them", () => {
    const domainName = { "Fn::GetAtt": ["EdgeDistribution0060737B", "DomainName"] };

    for (const one of operationFunctionsOf(template)) expect(variablesOf(one)).not.toHaveProperty("BASE_URL");
    expect(template.toJSON().Outputs.BaseUrl.Value).toEqual({ "Fn::Join": ["", ["https://", domainName]] });
  });

  test("has owners' paths on the service's own host: no function and no output has a base domain", () => {
    for (const one of Object.values(resourcesOf(template, "AWS::Lambda::Function")))
      expect(variablesOf(one)).not.toHaveProperty("BASE_DOMAIN");
    expect(template.toJSON().Outputs).not.toHaveProperty("BaseDomain");
  });

  test.each(stateful)("keeps every %s when the stack is deleted or a resource replaced", (type) => {
    const resources = Object.entries(resourcesOf(template, type))
      // This bucket contains code, which each deployment copies again.
      .filter(([id]) => !id.startsWith("IngestWebFunctionCodeBucket"))
      .map(([, resource]) => resource);

    expect(resources.length).toBeGreaterThan(0);
    for (const resource of resources) {
      expect(resource.DeletionPolicy).toMatch(/^Retain(ExceptOnCreate)?$/);
      expect(resource.UpdateReplacePolicy).toBe("Retain");
    }
  });

  test("leaves only the table, which a rollback could not delete, if its first deployment fails", () => {
    const kept = Object.values(template.toJSON().Resources as Record<string, TemplateResource>).filter(
      ({ DeletionPolicy }) => DeletionPolicy === "Retain",
    );

    expect(kept.map(({ Type }) => Type)).toEqual(["AWS::DynamoDB::Table"]);
    expect(kept[0]?.Properties.DeletionProtectionEnabled).toBe(true);
  });

  test("protects the table from deletion, and can restore it to any recent second", () => {
    template.hasResourceProperties("AWS::DynamoDB::Table", {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    });
  });

  test("keeps deleted pages as long as the table can be restored, and deleted files for a week", () => {
    const { Properties: table } = onlyResource(template, "AWS::DynamoDB::Table");
    const rulesOf = (id: string) => {
      const { VersioningConfiguration, LifecycleConfiguration } =
        resourcesOf(template, "AWS::S3::Bucket")[id]?.Properties ?? {};
      expect(VersioningConfiguration).toEqual({ Status: "Enabled" });
      return LifecycleConfiguration.Rules.map(
        ({ Id: _, Status, ...rule }: { Id: string; Status: string }) => {
          expect(Status).toBe("Enabled");
          return rule;
        },
      );
    };

    const daysOfRecovery = table.PointInTimeRecoverySpecification.RecoveryPeriodInDays;
    const abandoned = { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } };
    const staged = { Prefix: "staging/", NoncurrentVersionExpiration: { NoncurrentDays: 1 } };
    expect(daysOfRecovery).toBe(35);
    expect(rulesOf("StoragePages2B0B5787")).toEqual([
      abandoned,
      {
        NoncurrentVersionExpiration: { NoncurrentDays: daysOfRecovery },
        ExpiredObjectDeleteMarker: true,
      },
      staged,
      { Prefix: "cards/", NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
      { Prefix: "_reports/", ExpirationInDays: 30, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
      { Prefix: "_search/", NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
      { Prefix: "_words/", ExpirationInDays: 30, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
    ]);
    expect(rulesOf("StorageBlobs31FE9BCB")).toEqual([
      abandoned,
      { NoncurrentVersionExpiration: { NoncurrentDays: 7 }, ExpiredObjectDeleteMarker: true },
      staged,
    ]);
  });

  test("lets functions delete current objects only, not the versions of pages or files", () => {
    // The role that copies the server's code is left out, because it can use no other bucket: test/lib/ingest/ingest.test.ts.
    const documents = Object.entries(resourcesOf(template, "AWS::IAM::Role"))
      .filter(([id]) => !id.startsWith("IngestWebFunctionCopyRole"))
      .flatMap(([, { Properties }]) =>
        (Properties.Policies ?? []).map(({ PolicyDocument }: { PolicyDocument: object }) => PolicyDocument),
      );
    documents.push(
      ...Object.values(resourcesOf(template, "AWS::IAM::Policy")).map(
        ({ Properties }) => Properties.PolicyDocument,
      ),
    );

    const actions = documents.flatMap(({ Statement }) =>
      Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
    ) as string[];
    expect(actions).toContain("s3:DeleteObject");
    expect(actions.filter((action) => /^s3:(\*|Delete.*(\*|Version)|.*Lifecycle.*)/.test(action))).toEqual(
      [],
    );
  });

  test("blocks public access to buckets, and access without TLS", () => {
    const buckets = Object.entries(resourcesOf(template, "AWS::S3::Bucket"));
    const policies = Object.values(resourcesOf(template, "AWS::S3::BucketPolicy"));

    // The buckets of pages, files, and the ingest server's code.
    expect(buckets).toHaveLength(3);
    for (const [id, { Properties }] of buckets) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      const policy = policies.find((one) => one.Properties.Bucket.Ref === id);
      expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      );
    }
  });

  test("lets only the distribution read files", () => {
    const statements = Object.entries(resourcesOf(template, "AWS::S3::BucketPolicy"))
      .filter(([id]) => id.startsWith("Storage"))
      .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement);
    const allowed = statements.filter((statement) => statement.Effect === "Allow");

    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({
      Action: "s3:GetObject",
      Principal: { Service: "cloudfront.amazonaws.com" },
      Condition: { StringEquals: { "AWS:SourceArn": expect.anything() } },
    });
  });

  test("contains no secret value, and leaves the identity provider's secret to the operator", () => {
    const secrets = resourcesOf(template, "AWS::SecretsManager::Secret");

    for (const { Properties } of Object.values(secrets))
      expect(Properties).not.toHaveProperty("SecretString");
    expect(template.toJSON().Outputs.IdentityProviderParameter.Value).toBe(
      "/dropleaf/Dropleaf/identity-provider",
    );
    expect(secrets.SecretsOrigin297BAAC6?.Properties.GenerateSecretString.PasswordLength).toBe(64);
  });

  test("has no output with the API's own URL, which bypasses the edge", () => {
    expect(Object.keys(template.toJSON().Outputs).sort()).toEqual([
      "AlarmTopicArn",
      "AuditTrailDays",
      "BaseUrl",
      "BlobsBucket",
      "CallbackUrl",
      "DataFormat",
      "DistributionDomainName",
      "DistributionId",
      "IdentityProviderParameter",
      "PagesBucket",
      "TableName",
      "Version",
    ]);
  });
});

describe("settings", () => {
  test("a temporary stack deletes its data", () => {
    const template = givenStack({ stage: "throwaway" });

    for (const type of stateful) {
      for (const resource of Object.values(resourcesOf(template, type)))
        expect(resource.DeletionPolicy).toBe("Delete");
    }
    template.hasResourceProperties("AWS::DynamoDB::Table", { DeletionProtectionEnabled: false });
  });

  test("owners' hosts can be on a different domain than the service", () => {
    const template = givenStack({
      baseUrl: "https://drops.example.com",
      baseDomain: "example.page",
      certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d",
    });

    for (const { Properties } of operationFunctionsOf(template)) {
      expect(Properties.Environment.Variables).toMatchObject({
        BASE_URL: "https://drops.example.com",
        BASE_DOMAIN: "example.page",
      });
    }
    expect(template.toJSON().Outputs.BaseDomain.Value).toBe("example.page");
  });

  test("the base domain defaults to the base URL's host with its port", () => {
    const template = givenStack({ baseUrl: "http://localhost:8787" });

    for (const { Properties } of operationFunctionsOf(template)) {
      expect(Properties.Environment.Variables).toMatchObject({
        BASE_URL: "http://localhost:8787",
        BASE_DOMAIN: "localhost:8787",
      });
    }
  });

  test("the limit on page bytes is passed to functions that publish or move pages, and to no others", () => {
    const template = givenStack({ pageBytesMax: 5_000_000 });
    const told = Object.values(resourcesOf(template, "AWS::Lambda::Function"))
      .map(variablesOf)
      .filter((variables) => variables.PAGE_BYTES_MAX === "5000000");

    // publish-drop, publish-version, publish-folder, restore-version and its form, upsert-drop, and the endpoint that performs them for one page.
    expect(told.filter((variables) => "PAGES_BUCKET" in variables)).toHaveLength(7);
    // move-drop and its form only count the receiver's bytes, so they have no pages bucket.
    expect(told).toHaveLength(9);
  });

  test.each<[Settings, object]>([
    [
      { mostOpenVisibility: "unlisted" },
      { DEFAULT_VISIBILITY: "unlisted", MOST_OPEN_VISIBILITY: "unlisted" },
    ],
    [{ defaultVisibility: "unlisted" }, { DEFAULT_VISIBILITY: "unlisted" }],
  ])(
    "the allowed visibility is passed to functions that create or edit drops and files, and to no others: %j",
    (settings, words) => {
      const told = Object.values(resourcesOf(givenStack(settings), "AWS::Lambda::Function"))
        .map(variablesOf)
        .filter((variables) => variables.DEFAULT_VISIBILITY === "unlisted");

      // Five operations on drops, three on files, the endpoint for one page with the operations that it performs (seven), and four for owners' forms.
      expect(told).toHaveLength(22);
      for (const variables of told) expect(variables).toMatchObject(words);
    },
  );

  test("an invalid setting fails synthesis", () => {
    expect(() => givenStack({ baseUrl: "drops.example.com" })).toThrow(
      /baseUrl is "drops\.example\.com": use only a scheme/,
    );
  });
});

/** Returns the operations' functions. The workers' functions do not need the service's URL. */
function operationFunctionsOf(template: Template): TemplateResource[] {
  const all = Object.entries(resourcesOf(template, "AWS::Lambda::Function"));
  const found = all.filter(([logicalId]) => logicalId.startsWith("Operations")).map(([, one]) => one);
  expect(found.length).toBeGreaterThan(0);
  return found;
}
