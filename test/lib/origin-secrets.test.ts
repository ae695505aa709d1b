import type { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { givenStack, onlyResource, resourcesOf, variablesOf } from "./given-stack.ts";

/** The logical ids of the secrets that the edge sends and that the functions take. */
function originSecretsOf(template: Template) {
  const { Origins } = onlyResource(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
  const sent = Origins.flatMap((origin: { OriginCustomHeaders?: object }) =>
    secretsIn(origin.OriginCustomHeaders),
  );
  const accepted = Object.values(resourcesOf(template, "AWS::Lambda::Function")).flatMap(
    (one) => (variablesOf(one).ORIGIN_SECRET as object | undefined) ?? [],
  );
  return { sent: [...new Set(sent)], accepted: [...new Set(accepted.map((one) => secretsIn(one).join()))] };
}

function secretsIn(value: object = {}): string[] {
  return [...JSON.stringify(value).matchAll(/"Ref":"(SecretsOrigin[0-9A-Z]*)[0-9A-F]{8}"/g)].map(
    ([, id = ""]) => id,
  );
}

for (const { cases, options } of quickAndSlow(
  [
    ["one that both know", { sent: 1, accepted: [1] }, ["SecretsOrigin"], ["SecretsOrigin"]],
    [
      "another that the functions already know",
      { sent: 1, accepted: [1, 2] },
      ["SecretsOrigin"],
      ["SecretsOrigin,SecretsOrigin2"],
    ],
    [
      "the other, while the first is still good",
      { sent: 2, accepted: [1, 2] },
      ["SecretsOrigin2"],
      ["SecretsOrigin,SecretsOrigin2"],
    ],
    ["the other alone", { sent: 2, accepted: [2] }, ["SecretsOrigin2"], ["SecretsOrigin2"]],
  ] as const,
  ([which]) => which.startsWith("the other, while"),
))
  test.each(cases)("the edge proves itself with %s", options, (_, originSecrets, sent, accepted) => {
    expect(originSecretsOf(givenStack({ originSecrets }))).toEqual({ sent, accepted });
  });

test("without a setting there is one secret", () => {
  expect(originSecretsOf(givenStack())).toEqual({ sent: ["SecretsOrigin"], accepted: ["SecretsOrigin"] });
});
