import { describe, expect, test } from "vitest";
import { errorCatalog } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import { integersIn, tableUnder } from "../support/specification.ts";

describe("the specification's limits", () => {
  const mebibyte = 1024 ** 2;
  const daySeconds = 24 * 60 * 60;
  /** Integers of each row of the table, taken from the service's limits. */
  const ours: Record<string, number[]> = {
    "html size": [limits.htmlBytesMax],
    title: [limits.titleCodePointsMax],
    description: [limits.descriptionCodePointsMax],
    passcode: [limits.passcodeCodePointsMin],
    context: [limits.contextCodePointsMax / 1024, limits.contextCodePointsMax],
    metadata: [limits.metadataKeysMax, limits.metadataValueCodePointsMax],
    "drops per account": [limits.dropsPerAccountMax],
    "versions per drop": [limits.versionsPerDropMax],
    "writes per minute per token": [limits.writesPerMinutePerToken],
    "writes per day per token": [limits.writesPerDayPerToken],
    "blob size": [limits.blobBytesMax / mebibyte, limits.blobBytesMax],
    "blob storage per account": [
      limits.blobBytesPerAccountMax / (1024 * mebibyte),
      limits.blobBytesPerAccountMax,
      errorCatalog.quota_exceeded.status,
    ],
    "subdomains per account": [limits.subdomainsPerAccountMax],
    "blob filename": [limits.blobFilenameCharactersMax],
    "page size": [1, limits.pageSizeMax, limits.pageSizeDefault],
    "device code lifetime": [limits.deviceCodeSeconds],
    "poll interval": [limits.pollIntervalSeconds],
    "passcode cookie": [limits.passcodeCookieSeconds / daySeconds],
  };
  const rows = tableUnder("## Limits");

  test("the service has exactly the limits of the table", () => {
    expect(Object.keys(ours)).toEqual(rows.map((row) => row.Limit));
  });

  test.each(rows)("$Limit: $Value", (row) => {
    expect(ours[row.Limit ?? ""]).toEqual(integersIn(row.Value ?? ""));
  });

  test("if waiting does not help, Retry-After is an hour", () => {
    expect(limits.quotaRetryAfterSeconds).toBe(3600);
  });
});
