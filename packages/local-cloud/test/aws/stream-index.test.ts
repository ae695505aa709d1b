import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { runEndpoint } from "./running-endpoint.ts";
import { stackOf } from "./stack.ts";

/** Query that dynoxide runs with each write. */
const lastRecord =
  "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = ?1";

test("a write finds the last change by an index, without reading all earlier changes", async () => {
  const running = await runEndpoint(stackOf());

  const database = new DatabaseSync(join(running.dataDirectory, "dynamodb.sqlite"), { readOnly: true });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${lastRecord}`).all("Table");
  database.close();

  expect(plan).toMatchObject([{ detail: expect.stringContaining("COVERING INDEX stream_records_by_table") }]);
  expect(running.logLines).toEqual([]);
  await running.remove();
});
