import type { BatchGetCommandInput, BatchGetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import { dynamodb, getItems } from "../../functions/table/table.ts";

const middleware = "answerInPlaceOfDynamoDb";
const batch = Array.from({ length: 3 }, (_, index) => ({ pk: "LIMIT#test", sk: String(index) }));
let asked: number[];

/** Replaces DynamoDB: it reads this many keys of each request, and leaves the others unprocessed. */
function givenTableThatReads(count: number): void {
  dynamodb.middlewareStack.add(
    () => async (args) => {
      const { RequestItems = {} } = args.input as BatchGetCommandInput;
      const { Keys = [] } = RequestItems.Table ?? {};
      asked.push(Keys.length);
      const left = Keys.slice(count);
      const output: Partial<BatchGetCommandOutput> = {
        Responses: { Table: Keys.slice(0, count) },
        UnprocessedKeys: left.length === 0 ? {} : { Table: { Keys: left } },
      };
      return { output: { $metadata: {}, ...output }, response: {} } as never;
    },
    { step: "initialize", name: middleware, priority: "high" },
  );
}

beforeEach(() => {
  asked = [];
  vi.stubEnv("TABLE_NAME", "Table");
  vi.stubEnv("AWS_REGION", "us-east-1");
});
afterEach(() => {
  dynamodb.middlewareStack.remove(middleware);
  vi.unstubAllEnvs();
});

test("unprocessed keys are requested again", async () => {
  givenTableThatReads(1);

  expect(await getItems(batch)).toEqual(batch);
  expect(asked).toEqual([3, 2, 1]);
});

test("a table that returns no keys is unavailable after 41 requests with pauses between them", {
  tags: "slow",
}, async () => {
  givenTableThatReads(0);
  const startedAtMs = performance.now();

  const error = await getItems(batch).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: "unavailable", status: 503, retryAfterSeconds: 1 });
  expect(asked).toHaveLength(41);
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_500);
});
