import { randomBytes } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { openDatabase } from "../../database.ts";

/** A message in a queue. */
export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sentAtMs: number;
  /** Number of times that the message was received, including this time. */
  readonly receiveCount: number;
  readonly firstReceivedAtMs: number;
  readonly receiptHandle: string;
  /** ARN of the original queue of a message in a dead-letter queue. */
  readonly deadLetterSourceArn: string | undefined;
}

/** Limits for receiving messages with `take`. */
interface TakeOptions {
  readonly nowMs: number;
  /** Messages sent before this time have expired. */
  readonly sentAfterMs: number;
  readonly invisibleUntilMs: number;
  readonly countMax: number;
  /** Maximum total size of the messages in bytes, as JSON in an event and with their attributes. */
  readonly bytesMax: number;
}

/** Number of messages in a queue, by their state. */
interface MessageCounts {
  readonly visible: number;
  /** Messages that were received, and neither deleted nor made visible again. */
  readonly inFlight: number;
  readonly delayed: number;
}

/** The messages of every queue. Changes are durable when a method returns. */
export type MessageStore = ReturnType<typeof openMessageStore>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL UNIQUE,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    sent_at_ms INTEGER NOT NULL,
    visible_at_ms INTEGER,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at_ms INTEGER,
    receipt_handle TEXT,
    dead_letter_source_arn TEXT
  );
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at_ms);
  CREATE INDEX IF NOT EXISTS messages_by_receipt ON messages (receipt_handle);
`;

/** Maximum size of the ids, times, receipt handle, ARNs and names in an event's record, in bytes. */
const ATTRIBUTES_BYTES_MAX = 1_000;

interface Row {
  readonly id: number;
  readonly message_id: string;
  readonly body: string;
  readonly sent_at_ms: number;
  readonly receive_count: number;
  readonly first_received_at_ms: number | null;
  readonly dead_letter_source_arn: string | null;
}

/** Opens the database file. Creates the file if missing. */
export function openMessageStore(path: string) {
  const database = openDatabase(path, SCHEMA);
  /** Prepares a statement. The returned function binds its arguments to the numbered parameters, and returns the number of changed rows. */
  const change = <Given extends SQLInputValue[]>(sql: string) => {
    const statement = database.prepare(sql);
    return (...given: Given) => Number(statement.run(...given).changes);
  };
  const insert = change<
    [queue: string, messageId: string, body: string, sentAtMs: number, ms: number | null]
  >("INSERT INTO messages (queue, message_id, body, sent_at_ms, visible_at_ms) VALUES (?1, ?2, ?3, ?4, ?5)");
  const selectVisible = database.prepare(
    "SELECT * FROM messages WHERE queue = ? AND visible_at_ms <= ? AND sent_at_ms > ? ORDER BY visible_at_ms, id LIMIT ?",
  );
  const markReceived = database.prepare(
    "UPDATE messages SET visible_at_ms = ?, receive_count = ?, first_received_at_ms = ?, receipt_handle = ? WHERE id = ?",
  );
  const redrive = database.prepare(
    "UPDATE messages SET queue = ?, dead_letter_source_arn = ?, receipt_handle = NULL WHERE queue = ? AND visible_at_ms <= ? AND receive_count >= ? RETURNING message_id",
  );
  const nextVisible = database.prepare(
    "SELECT visible_at_ms AS ms FROM messages WHERE queue = ? AND visible_at_ms IS NOT NULL AND sent_at_ms > ? ORDER BY visible_at_ms LIMIT 1",
  );
  const counts = database.prepare(`
    SELECT coalesce(sum(visible_at_ms <= ?1), 0) AS visible,
           coalesce(sum(visible_at_ms > ?1 AND receipt_handle IS NOT NULL), 0) AS inFlight,
           coalesce(sum(visible_at_ms > ?1 AND receipt_handle IS NULL), 0) AS delayed
    FROM messages WHERE queue = ?2 AND sent_at_ms > ?3`);

  return {
    /** @param visibleAtMs time at which the message becomes visible; undefined hides the message until `release` */
    add(queue: string, messageId: string, body: string, visibleAtMs: number | undefined): void {
      insert(queue, messageId, body, Date.now(), visibleAtMs ?? null);
    },
    /** Ends a reservation. The message becomes visible at the given time. */
    release: change<[messageId: string, visibleAtMs: number]>(
      "UPDATE messages SET visible_at_ms = ?2 WHERE message_id = ?1",
    ),
    /** Ends all reservations of a queue that an earlier process left open. */
    releaseAll: change<[queue: string, visibleAtMs: number]>(
      "UPDATE messages SET visible_at_ms = ?2 WHERE queue = ?1 AND visible_at_ms IS NULL",
    ),
    discard: change<[messageId: string]>("DELETE FROM messages WHERE message_id = ?1"),
    /** Receives visible messages, within limits of number and size. Messages that have been visible longest come first. */
    take(queue: string, options: TakeOptions): StoredMessage[] {
      const { nowMs, sentAfterMs, invisibleUntilMs, countMax, bytesMax } = options;
      const rows = selectVisible.all(queue, nowMs, sentAfterMs, countMax) as unknown as Row[];
      return inTransaction(database, () =>
        upTo(bytesMax, rows).map((row) => {
          const message = receivedMessage(row, nowMs);
          const { receiveCount, firstReceivedAtMs, receiptHandle } = message;
          markReceived.run(invisibleUntilMs, receiveCount, firstReceivedAtMs, receiptHandle, row.id);
          return message;
        }),
      );
    },
    /** Moves visible messages that were received `receivesMax` times to another queue. Returns the ids of the messages. */
    redrive(queue: string, sourceArn: string, target: string, receivesMax: number, nowMs: number): string[] {
      const moved = redrive.all(target, sourceArn, queue, nowMs, receivesMax);
      return moved.map((row) => String(row.message_id));
    },
    /** Deletes a message by its latest receipt handle. Ignores older receipt handles. */
    deleteReceived: change<[queue: string, receiptHandle: string]>(
      "DELETE FROM messages WHERE receipt_handle = ?2 AND queue = ?1",
    ),
    /** Sets when a message in flight becomes visible. Returns 0 if the message is not in flight. */
    setVisibleAt: change<[queue: string, receiptHandle: string, visibleAtMs: number, nowMs: number]>(
      "UPDATE messages SET visible_at_ms = ?3 WHERE receipt_handle = ?2 AND queue = ?1 AND visible_at_ms > ?4",
    ),
    /** Returns when the next message becomes visible, possibly in the past. Returns undefined if there is no message. */
    nextVisibleAtMs: (queue: string, sentAfterMs: number) =>
      (nextVisible.get(queue, sentAfterMs) as { ms: number } | undefined)?.ms,
    counts: (queue: string, nowMs: number, sentAfterMs: number) => ({
      ...(counts.get(nowMs, queue, sentAfterMs) as unknown as MessageCounts),
    }),
    removeSentBefore: change<[queue: string, ms: number]>(
      "DELETE FROM messages WHERE queue = ?1 AND sent_at_ms <= ?2",
    ),
    close: () => database.close(),
  };
}

function receivedMessage(row: Row, nowMs: number): StoredMessage {
  return {
    messageId: row.message_id,
    body: row.body,
    sentAtMs: row.sent_at_ms,
    receiveCount: row.receive_count + 1,
    firstReceivedAtMs: row.first_received_at_ms ?? nowMs,
    receiptHandle: randomBytes(48).toString("base64"),
    deadLetterSourceArn: row.dead_letter_source_arn ?? undefined,
  };
}

/** Returns the first rows that fit into `bytesMax`, but at least one row. */
function upTo(bytesMax: number, rows: readonly Row[]): Row[] {
  let sizeBytes = 0;
  const firstTooLarge = rows.findIndex(({ body }, index) => {
    sizeBytes += Buffer.byteLength(JSON.stringify(body)) + ATTRIBUTES_BYTES_MAX;
    return index > 0 && sizeBytes > bytesMax;
  });
  return firstTooLarge < 0 ? [...rows] : rows.slice(0, firstTooLarge);
}

function inTransaction<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
