import { type Stack, Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import { givenHostingStack } from "./given-stack.ts";
import { type NagSuppression, nagSuppressions } from "./nag-suppressions.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

interface Finding {
  readonly id: string;
  /** Path of the resource below the stack. */
  readonly path: string;
}

/** Returns the findings of the AWS Solutions checks that the stack does not suppress. */
function findingsOf(stack: Stack): Finding[] {
  return new AwsSolutionsChecks(stack).validateScope(stack).violations.flatMap((violation) =>
    violation.violatingResources.map(({ constructPath = "" }) => ({
      id: violation.ruleName,
      path: constructPath.slice(stack.node.path.length + 1),
    })),
  );
}

/** Returns the suppressions that apply with these settings. */
function suppressionsFor(settings: Settings, stack: Stack): NagSuppression[] {
  return nagSuppressions.filter(
    ({ construct, where }) => (where?.(settings) ?? true) && constructsAt(stack, construct).length > 0,
  );
}

/** Returns the outermost constructs whose path begins with this text. */
function constructsAt(stack: Stack, pathStart: string): IConstruct[] {
  const start = `${stack.node.path}/${pathStart}`;
  return stack.node
    .findAll()
    .filter(({ node }) => node.path.startsWith(start) && !node.scope?.node.path.startsWith(start));
}

const used = new Set<NagSuppression>();

describe.each(settingsOfEachKind)("the stack with %s", (_, settings) => {
  const stack = givenHostingStack(settings);
  const suppressions = suppressionsFor(settings, stack);
  const findings = findingsOf(stack);

  test("has no warning or error, except about a site that owners share", () => {
    const notes = stack.node.findAll().flatMap(({ node }) => node.metadata);
    const faults = notes.filter(({ type }) => type === "aws:cdk:warning" || type === "aws:cdk:error");

    expect(
      faults.map(({ data }) => String(data)).filter((text) => !text.includes("dropleaf:owners-")),
    ).toEqual([]);
  });

  test("has no suppression without a finding", () => {
    const idle = suppressions.filter(
      ({ id, construct }) => !findings.some((one) => one.id === id && one.path.startsWith(construct)),
    );

    expect(idle).toEqual([]);
    for (const suppression of suppressions) used.add(suppression);
  });

  test("has no finding without a suppression", () => {
    for (const { id, construct, reason } of suppressions) {
      for (const found of constructsAt(stack, construct)) Validations.of(found).acknowledge({ id, reason });
    }

    expect(findingsOf(stack)).toEqual([]);
  });
});

test("every suppression is used with some settings", () => {
  expect(nagSuppressions.filter((suppression) => !used.has(suppression))).toEqual([]);
});

test("a finding without a suppression is reported", () => {
  const stack = givenHostingStack({});

  expect(findingsOf(stack)).toContainEqual({ id: "AwsSolutions-S1", path: "Storage/Pages/Resource" });
});
