import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { StreamPosition } from "../../src/aws/dynamodb/table-stream.ts";
import { openCheckpointStore } from "../../src/events/checkpoint-store.ts";
import { trimReadChanges } from "../../src/events/stream-trimming.ts";
import { runEndpoint } from "../aws/running-endpoint.ts";
import { stackOf, TABLE, TABLE_ARN } from "../aws/stack.ts";

const arn = `${TABLE_ARN}/stream/local`;

test("changes are removed when they are a day old and every mapping has processed them, except the last one", async () => {
  const running = await runEndpoint(stackOf());
  const stream = running.endpoint.openStream(arn);
  const put = (pk: string) =>
    running
      .dynamoDb()
      .send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: pk }, sk: { S: "-" } } }));
  const changes = async (position?: StreamPosition) => {
    const { records } = await stream.read(position);
    return records.map(({ dynamodb }) => ({
      pk: (dynamodb.Keys as { pk: { S: string } }).pk.S,
      number: dynamodb.SequenceNumber,
    }));
  };
  const names = async (position?: StreamPosition) => (await changes(position)).map(({ pk }) => pk);
  for (const pk of ["a", "b", "c", "d"]) await put(pk);
  const { shardId } = (await stream.read(undefined)).position;
  const [, b, c, d] = (await changes()).map(({ number }) => ({ shardId, sequenceNumber: number }));
  const checkpoints = openCheckpointStore(join(running.dataDirectory, "streams.sqlite"));
  const readTo = async (...positions: (StreamPosition | undefined)[]) => {
    const generation = await stream.generation();
    const readers = positions.map((position, index) => {
      const logicalId = `Mapping${index}`;
      if (position) checkpoints.set(logicalId, generation, position);
      return { logicalId, stream };
    });
    await trimReadChanges(readers, checkpoints, Date.now());
    return names();
  };

  expect(await readTo(c)).toEqual(["a", "b", "c", "d"]);
  const database = new DatabaseSync(join(running.dataDirectory, "dynamodb.sqlite"), { timeout: 5_000 });
  database.exec("UPDATE _stream_records SET created_at = created_at - 24 * 60 * 60 - 2");
  database.close();
  expect(await readTo(c, undefined)).toEqual(["a", "b", "c", "d"]);
  expect(await readTo(c, b)).toEqual(["c", "d"]);
  expect(await readTo(d, d)).toEqual(["d"]);

  await put("e");
  expect(await names(d)).toEqual(["e"]);
  expect(await readTo(d, d)).toEqual(["e"]);
  checkpoints.close();
  await running.remove();
});
