import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { clockOffsetSeconds } from "../../clock.ts";
import { AwsError } from "../aws-error.ts";
import { callDynamoDb, type DynamoDbBackend } from "./backend.ts";

/** A change of an item, in the format of events; see "Using AWS Lambda with Amazon DynamoDB", AWS Lambda developer guide. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly dynamodb: {
    readonly SequenceNumber: string;
    /** Time of the change, in Unix seconds. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: unknown;
    readonly NewImage?: unknown;
    readonly OldImage?: unknown;
  };
}

/** Position up to which a stream was read. */
export interface StreamPosition {
  readonly shardId: string;
  /** Sequence number of the last record read. Undefined before the first record. */
  readonly sequenceNumber: string | undefined;
}

/** Consecutive records of a stream. */
export interface StreamPage {
  readonly records: readonly StreamRecord[];
  /** Position at which the next page starts. */
  readonly position: StreamPosition;
  /** True at the stream's current end. False if the next page can be read without waiting. */
  readonly isLast: boolean;
}

/** The stream of a table. */
export type TableStream = ReturnType<typeof openTableStream>;

type ReadStream = (position: StreamPosition | undefined) => Promise<StreamPage>;

/** Fields of a shard's description that we use. */
interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

const BUSY_MS_MAX = 5_000;
/** Maximum number of records per statement. A statement blocks this thread and the engine's writes until it ends. */
const RECORDS_PER_STATEMENT = 500;

/** Removes records, except the table's last record, from which dynoxide 1.2.1 derives the next sequence number. */
const REMOVE_SOME = `
  DELETE FROM _stream_records WHERE id IN (
    SELECT id FROM _stream_records
    WHERE table_name = ?1 AND shard_id = ?2 AND created_at < ?4
      AND CAST(sequence_number AS INTEGER) <= CAST(?3 AS INTEGER)
      AND CAST(sequence_number AS INTEGER) <
        (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?1)
    LIMIT ${RECORDS_PER_STATEMENT})
`;

const PAGE_RECORDS_MAX = 1_000;

/**
 * Opens a stream by its ARN in the template, `arn:aws:dynamodb:…:table/<name>/stream/<label>`. `onWrite` calls its listener after each
 * write of any table, and returns a function that removes the listener.
 */
export function openTableStream(
  arn: string,
  backend: DynamoDbBackend,
  onWrite: (listener: () => void) => () => void,
) {
  const tableName = /:table\/([^/]+)\/stream\//.exec(arn)?.[1] ?? "";
  let backendArn: string | undefined;
  // Shard iterator at the end of the last page read.
  let iterator: { readonly position: StreamPosition; readonly token: string } | undefined;

  /** Returns an id that changes when the table is recreated. A position with another id is invalid. */
  async function generation(): Promise<string> {
    if (backendArn === undefined) {
      const { Table } = await callDynamoDb(backend, "DescribeTable", { TableName: tableName });
      backendArn = (Table as { LatestStreamArn?: string }).LatestStreamArn;
      if (!backendArn) throw new Error(`The table ${tableName} has no stream`);
    }
    return backendArn;
  }

  async function shards(): Promise<Shard[]> {
    const output = await callDynamoDb(backend, "DescribeStream", { StreamArn: await generation() });
    return (output.StreamDescription as { Shards: Shard[] }).Shards;
  }

  async function openIterator({ shardId, sequenceNumber }: StreamPosition): Promise<string> {
    const shard = { StreamArn: await generation(), ShardId: shardId };
    const from =
      sequenceNumber === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: sequenceNumber };
    const output = await callDynamoDb(backend, "GetShardIterator", { ...shard, ...from });
    return String(output.ShardIterator);
  }

  async function firstPosition(): Promise<StreamPosition> {
    const [first] = await shards();
    if (!first) throw new Error(`The stream of ${tableName} has no shard`);
    return { shardId: first.ShardId, sequenceNumber: undefined };
  }

  async function read(from: StreamPosition | undefined): Promise<StreamPage> {
    const position = from ?? (await firstPosition());
    const token =
      iterator && isDeepStrictEqual(iterator.position, position)
        ? iterator.token
        : await openIterator(position);
    iterator = undefined;
    const output = await callDynamoDb(backend, "GetRecords", {
      ShardIterator: token,
      Limit: PAGE_RECORDS_MAX,
    });
    const records = output.Records as StreamRecord[];
    const next = {
      shardId: position.shardId,
      sequenceNumber: records.at(-1)?.dynamodb.SequenceNumber ?? position.sequenceNumber,
    };
    if (typeof output.NextShardIterator === "string") {
      iterator = { position: next, token: output.NextShardIterator };
    }
    const isClosed = iterator === undefined && records.length === 0;
    const nextShardId = isClosed ? childOf(position.shardId, await shards()) : undefined;
    return {
      records: records.filter(isChange).map((record) => present(record, arn, backendArn ?? "")),
      position: nextShardId === undefined ? next : { shardId: nextShardId, sequenceNumber: undefined },
      isLast: nextShardId === undefined && records.length === 0,
    };
  }

  return {
    /** The stream's ARN in the template. */
    arn,
    generation,
    onWrite,
    /** True if other processes write to the table. `onWrite` misses their writes. */
    hasOtherWriters: backend.ownDatabase === undefined,
    /** Removes the changes up to a position that were written before a time. Keeps the table's last change. */
    async trim({ shardId, sequenceNumber }: StreamPosition, writtenBeforeMs: number): Promise<void> {
      // Other servers trim their streams themselves.
      if (backend.ownDatabase === undefined || sequenceNumber === undefined) return;
      // dynoxide itself never removes stream records.
      const database = new DatabaseSync(backend.ownDatabase, { timeout: BUSY_MS_MAX });
      try {
        const remove = database.prepare(REMOVE_SOME);
        const beforeSeconds = Math.floor(writtenBeforeMs / 1000);
        while (remove.run(tableName, shardId, sequenceNumber, beforeSeconds).changes > 0) await nextTurn();
      } finally {
        database.close();
      }
    },
    /** @param position start of the page; undefined for the oldest record */
    read: sharedByReaders((position) =>
      read(position).catch((error) => {
        // The position was trimmed, so reading continues from the oldest remaining record.
        if (error instanceof AwsError && error.code === "TrimmedDataAccessException") return read(undefined);
        throw error;
      }),
    ),
  };
}

/** Maximum number of pages that are cached for slower readers. */
const pagesCachedMax = 4;

/**
 * Shares each page between readers at the same position, because reading a page costs the engine as much as writing it. The last page is
 * not shared, because the stream may have grown.
 */
function sharedByReaders(read: ReadStream): ReadStream {
  const pages = new Map<string, Promise<StreamPage | undefined>>();
  return async (position) => {
    // The page at the oldest record is not shared, because it changes with each trim.
    if (position === undefined) return read(undefined);
    const from = JSON.stringify([position.shardId, position.sequenceNumber]);
    const reading = pages.get(from);
    const shared = reading && (await reading);
    if (shared !== undefined) return shared;
    const forget = () => void pages.delete(from);
    const page = read(position);
    const kept = page.then(
      (one) => (one.isLast ? forget() : one),
      () => forget(),
    );
    pages.set(from, kept);
    const [oldest = ""] = pages.keys();
    if (pages.size > pagesCachedMax) pages.delete(oldest);
    return page;
  };
}

/** Returns the shard that follows an ended shard. DynamoDB Local ends shards after some hours. */
export function childOf(shardId: string, shards: readonly Shard[]): string | undefined {
  return shards.find(({ ParentShardId }) => ParentShardId === shardId)?.ShardId;
}

/** Returns true if the record changes data. DynamoDB writes no stream record for an update without changes, but dynoxide writes one. */
function isChange({ eventName, dynamodb }: StreamRecord): boolean {
  return eventName !== "MODIFY" || !isDeepStrictEqual(dynamodb.NewImage, dynamodb.OldImage);
}

function present(record: StreamRecord, arn: string, generation: string): StreamRecord {
  const { dynamodb } = record;
  // The engine uses the machine's clock, without the local cloud's offset.
  const ApproximateCreationDateTime = dynamodb.ApproximateCreationDateTime + clockOffsetSeconds();
  return {
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime },
    // This id is unique across streams, unlike dynoxide's ids, which start at 1 in each stream.
    eventID: createHash("md5").update(`${generation}/${record.dynamodb.SequenceNumber}`).digest("hex"),
    ...{ awsRegion: "us-east-1", eventSourceARN: arn },
  };
}
