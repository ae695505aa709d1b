import { describe, expect, test } from "vitest";
import { childOf } from "../../../local/aws/dynamodb/table-stream.ts";

describe("a stream goes on, where a shard has ended,", () => {
  const shards = [
    { ShardId: "3", ParentShardId: "2" },
    { ShardId: "2", ParentShardId: "1" },
    { ShardId: "1" },
  ];

  test.each([
    ["1", "2"],
    ["2", "3"],
    ["3", undefined],
  ])("after %s with %s", (shardId, next) => {
    expect(childOf(shardId, shards)).toBe(next);
  });
});
