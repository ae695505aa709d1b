import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { useRunningServer } from "../../src/aws/dynamodb/backend.ts";
import { childOf, openTableStream } from "../../src/aws/dynamodb/table-stream.ts";

describe("a reader of a stream", () => {
  const shards = [
    { ShardId: "3", ParentShardId: "2" },
    { ShardId: "2", ParentShardId: "1" },
    { ShardId: "1" },
  ];

  test.each([
    ["1", "2"],
    ["2", "3"],
    ["3", undefined],
  ])("continues after shard %s with %s", (shardId, next) => {
    expect(childOf(shardId, shards)).toBe(next);
  });
});

test("readers at the same position share one read of a page, but not of the stream's end", async () => {
  const engine = await startEngine();
  const stream = openTableStream(
    "arn:aws:dynamodb:us-east-1:0:table/Drops/stream/1",
    engine.backend,
    () => () => {},
  );
  const start = { shardId: "shard", sequenceNumber: "1" };

  const ends = await Promise.all([stream.read(start), stream.read(start)]);
  engine.addRecord("2");
  const pages = await Promise.all([stream.read(start), stream.read(start)]);
  const later = await stream.read(start);

  expect(ends.map(({ isLast }) => isLast)).toEqual([true, true]);
  expect([...pages, later].map(({ position }) => position.sequenceNumber)).toEqual(["2", "2", "2"]);
  expect(engine.readsOf("empty")).toBe(2);
  expect(engine.readsOf("full")).toBe(1);
  await engine.stop();
});

/** Starts a server with a stream of one shard that counts the reads. */
async function startEngine() {
  const records: object[] = [];
  const reads: ("empty" | "full")[] = [];
  const answers: Record<string, () => object> = {
    ListTables: () => ({ TableNames: [] }),
    DescribeTable: () => ({ Table: { LatestStreamArn: "stream" } }),
    GetShardIterator: () => ({ ShardIterator: "iterator" }),
    GetRecords: () => {
      reads.push(records.length === 0 ? "empty" : "full");
      return { Records: records, NextShardIterator: "iterator" };
    },
  };
  const server = createServer((request, response) => {
    const [, operation = ""] = String(request.headers["x-amz-target"]).split(".");
    request.resume().once("end", () => response.end(JSON.stringify(answers[operation]?.())));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    backend: await useRunningServer(`http://127.0.0.1:${port}`),
    addRecord: (SequenceNumber: string) =>
      records.push({ eventName: "INSERT", dynamodb: { SequenceNumber } }),
    readsOf: (kind: "empty" | "full") => reads.filter((one) => one === kind).length,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
