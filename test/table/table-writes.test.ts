import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, test, vi } from "vitest";
import { dynamodb } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a failed condition is reported by the name of its write, even if another write is undefined", async () => {
  vi.stubEnv("TABLE_NAME", "table");
  const [passed, failed] = [{ Code: "None" }, { Code: "ConditionalCheckFailed" }];
  const error = new TransactionCanceledException({
    message: "",
    $metadata: {},
    CancellationReasons: [passed, passed, failed, { ...failed, Item: { held: { BOOL: true } } }, passed],
  });
  const send = vi.spyOn(dynamodb, "send").mockRejectedValue(error as never);
  const put = (pk: string) => ({ put: { pk, sk: pk } });

  const outcome = await transact({
    kept: undefined,
    drop: put("a"),
    versions: [put("b"), put("c")],
    account: put("d"),
    line: put("e"),
  });

  const command = send.mock.calls[0]?.[0] as unknown as TransactWriteCommand | undefined;
  const { TransactItems = [] } = command?.input ?? {};
  expect(TransactItems.map(({ Put }) => Put?.Item?.pk)).toEqual(["a", "b", "c", "d", "e"]);
  expect(outcome).toEqual({
    committed: false,
    failed: new Map([
      ["versions", undefined],
      ["account", { held: true }],
    ]),
  });
});
