import { expect, test } from "vitest";
import { givenStack, resourcesOf } from "../given-stack.ts";
import { type RoleStatement, statementsOfFunction } from "./function-statements.ts";

const template = givenStack({ renders: true, webhooks: [{ url: "https://hooks.example.com/" }] });
const roles = resourcesOf(template, "AWS::IAM::Role");
const functions = Object.values(resourcesOf(template, "AWS::Lambda::Function"));

/** Actions of DynamoDB that change no item. */
const readingActions = new Set(
  [
    "BatchGetItem",
    "ConditionCheckItem",
    "DescribeStream",
    "GetItem",
    "GetRecords",
    "GetShardIterator",
    "ListStreams",
    "Query",
  ].map((action) => `dynamodb:${action}`),
);

test("only sign-in, the passcode form and the registration of OAuth clients can write the cookie key", () => {
  const handlers = functions
    .filter((lambda) => statementsOfFunction(lambda, roles).some(mayWriteKey))
    .map(({ Properties }) => Properties.Handler);

  expect(handlers.sort()).toEqual([
    "index.admitReader",
    "index.registerClient",
    "index.showVerifyPage",
    "index.unlockDrop",
  ]);
});

test("every role has all its permissions in its own policies", () => {
  for (const [id, { Properties }] of Object.entries(roles))
    expect(Properties, id).not.toHaveProperty("ManagedPolicyArns");
  expect(Object.keys(resourcesOf(template, "AWS::IAM::Policy"))).toEqual([]);
});

/** Checks if a statement allows writes of items whose keys begin with `KEY#`, or of any item. */
function mayWriteKey({ Effect, Action, Condition }: RoleStatement): boolean {
  const writes = [Action]
    .flat()
    .filter((action) => action.startsWith("dynamodb:") && !readingActions.has(action));
  const leadingKeys = Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
  return (
    Effect === "Allow" &&
    writes.length > 0 &&
    [leadingKeys ?? "*"].flat().some((key) => /^(KEY)?[#*]/.test(key))
  );
}
