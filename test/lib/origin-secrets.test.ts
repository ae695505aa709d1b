import type { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { givenStack, onlyResource, resourcesOf } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

/** Returns the names of the secrets that the edge sends, and that API Gateway and the ingest server accept. */
function originSecretsOf(template: Template) {
  const { Origins } = onlyResource(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
  const headers: { HeaderName: string; HeaderValue: object }[] = Origins.flatMap(
    ({ OriginCustomHeaders = [] }) => OriginCustomHeaders,
  );
  const plan = onlyIdOf(template, "AWS::ApiGateway::UsagePlan");
  const keys = resourcesOf(template, "AWS::ApiGateway::ApiKey");
  const inPlan = Object.values(resourcesOf(template, "AWS::ApiGateway::UsagePlanKey")).map(
    ({ Properties: { KeyId, KeyType, UsagePlanId } }) => {
      expect([KeyType, UsagePlanId]).toEqual(["API_KEY", { Ref: plan }]);
      return keys[KeyId.Ref];
    },
  );
  expect(inPlan).toHaveLength(Object.keys(keys).length);
  const [variables] = Object.values(resourcesOf(template, "AWS::Lambda::WebFunctionRevision")).map(
    ({ Properties }) => Properties.ServiceConfig.EnvironmentVariables.ORIGIN_SECRET,
  );
  return {
    sent: Object.fromEntries(
      headers.map(({ HeaderName, HeaderValue }) => [HeaderName, secretsIn(HeaderValue).join()]),
    ),
    inPlan: inPlan.flatMap((key) => secretsIn(key?.Properties.Value)),
    atIngest: secretsIn(variables),
  };
}

function onlyIdOf(template: Template, type: string): string {
  return Object.keys(resourcesOf(template, type)).join();
}

function secretsIn(value: object = {}): string[] {
  return [...JSON.stringify(value).matchAll(/"Ref":"(SecretsOrigin[0-9A-Z]*)[0-9A-F]{8}"/g)].map(
    ([, id = ""]) => id,
  );
}

for (const { cases, options } of quickAndSlow(
  [
    ["the only secret", { sent: 1, accepted: [1] }, "SecretsOrigin", ["SecretsOrigin"]],
    [
      "the first secret, while its origins already accept the second",
      { sent: 1, accepted: [1, 2] },
      "SecretsOrigin",
      ["SecretsOrigin", "SecretsOrigin2"],
    ],
    [
      "the second secret, while the first is still accepted",
      { sent: 2, accepted: [1, 2] },
      "SecretsOrigin2",
      ["SecretsOrigin", "SecretsOrigin2"],
    ],
    ["the second secret alone", { sent: 2, accepted: [2] }, "SecretsOrigin2", ["SecretsOrigin2"]],
  ] as const,
  ([which]) => which.startsWith("the second secret, while"),
))
  test.each(cases)("the edge authenticates with %s", options, (_, originSecrets, sent, accepted) => {
    expect(originSecretsOf(givenStack({ originSecrets, ingest: "webfunction" }))).toEqual({
      sent: { "x-api-key": sent, "x-dropleaf-origin": sent },
      inPlan: accepted,
      atIngest: accepted,
    });
  });

test("a step of a rotation keeps the logical ids of the previous step's keys", {
  tags: "nightly",
}, () => {
  const idsOf = (template: Template) =>
    ["ApiKey", "UsagePlanKey"].flatMap((type) =>
      Object.entries(resourcesOf(template, `AWS::ApiGateway::${type}`)).map(
        ([id, { Properties }]) => `${id}: ${JSON.stringify(Properties)}`,
      ),
    );
  const [before, during, after] = [[1], [1, 2], [2]].map((accepted) =>
    idsOf(givenStack({ originSecrets: { sent: accepted.at(-1) ?? 1, accepted } })),
  );

  expect(during).toEqual(expect.arrayContaining([...(before ?? []), ...(after ?? [])]));
  expect(during).toHaveLength(4);
});

test("by default there is one secret", () => {
  expect(originSecretsOf(givenStack())).toMatchObject({
    sent: { "x-api-key": "SecretsOrigin" },
    inPlan: ["SecretsOrigin"],
  });
});

// CloudFormation user guide, "Get values stored in other services using dynamic references": 60 in a template.
test.each(settingsOfEachKind)("a stack with %s has at most 10 dynamic references", (_, settings) => {
  const references = JSON.stringify(givenStack(settings).toJSON()).split("{{resolve:").length - 1;

  expect(references).toBeGreaterThan(0);
  expect(references).toBeLessThanOrEqual(10);
});

test.each(settingsOfEachKind)(
  "no function of a stack with %s has a secret in its environment",
  (_, settings) => {
    for (const { Properties } of Object.values(resourcesOf(givenStack(settings), "AWS::Lambda::Function")))
      expect(JSON.stringify(Properties.Environment ?? {})).not.toContain("resolve:");
  },
);
