import { type Stack, Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import { type NagAnswer, nagAnswers } from "../../lib/nag-answers.ts";
import type { Settings } from "../../lib/settings.ts";
import { givenHostingStack } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

interface Finding {
  readonly id: string;
  /** The path of the resource below the stack. */
  readonly path: string;
}

/** What the AWS Solutions checks have to say against a stack and has not been answered in it. */
function findingsOf(stack: Stack): Finding[] {
  return new AwsSolutionsChecks(stack).validateScope(stack).violations.flatMap((violation) =>
    violation.violatingResources.map(({ constructPath = "" }) => ({
      id: violation.ruleName,
      path: constructPath.slice(stack.node.path.length + 1),
    })),
  );
}

/** The responses that these settings call for. */
function responsesFor(settings: Settings, stack: Stack): NagAnswer[] {
  return nagAnswers.filter(
    ({ construct, where }) => (where?.(settings) ?? true) && constructsAt(stack, construct).length > 0,
  );
}

/** The constructs whose path begins so, without what is in them. */
function constructsAt(stack: Stack, pathStart: string): IConstruct[] {
  const start = `${stack.node.path}/${pathStart}`;
  return stack.node
    .findAll()
    .filter(({ node }) => node.path.startsWith(start) && !node.scope?.node.path.startsWith(start));
}

const answered = new Set<NagAnswer>();

describe.each(settingsOfEachKind)("the stack with %s", (_, settings) => {
  const stack = givenHostingStack(settings);
  const responses = responsesFor(settings, stack);
  const findings = findingsOf(stack);

  test("has no response that answers nothing", () => {
    const idle = responses.filter(
      ({ id, construct }) => !findings.some((one) => one.id === id && one.path.startsWith(construct)),
    );

    expect(idle).toEqual([]);
    for (const response of responses) answered.add(response);
  });

  test("has no finding without a response", () => {
    for (const { id, construct, reason } of responses) {
      for (const found of constructsAt(stack, construct)) Validations.of(found).acknowledge({ id, reason });
    }

    expect(findingsOf(stack)).toEqual([]);
  });
});

test("every response is called for by some settings", () => {
  expect(nagAnswers.filter((response) => !answered.has(response))).toEqual([]);
});

test("a finding that nobody has answered is found", () => {
  const stack = givenHostingStack({});

  expect(findingsOf(stack)).toContainEqual({ id: "AwsSolutions-S1", path: "Storage/Pages/Resource" });
});
