import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCatalog, wordsFor } from "../../functions/core/errors.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { codeWordsIn, paragraphUnder, tableUnder } from "../support/specification.ts";

describe("the specification's errors", () => {
  /** Codes for server faults, which the specification leaves open, and for additions to the specification. */
  const added = [
    "internal_error",
    "unavailable",
    "idp_unavailable",
    "idempotency_key_reused", // docs/adr/0013-idempotency-and-upserts.md
    "precondition_failed",
    "last_owner_cannot_leave", // docs/adr/0123-teams.md
    "secrets_found", // docs/adr/0094-secretlint.md
    "several_match", // docs/adr/0013-idempotency-and-upserts.md
    "insufficient_scope", // docs/adr/0053-oauth.md
    "format_not_supported", // docs/adr/0066-rendered-pictures.md
    "method_not_allowed", // docs/adr/0056-error-hints.md
  ];
  const codes = codeWordsIn(paragraphUnder("## Errors", "Codes:"));
  const conditions = tableUnder("## Errors").map((row) => ({
    condition: row.Condition ?? "",
    status: Number(row.Status),
    code: codeWordsIn(row.Code ?? "")[0] as ErrorCode,
  }));

  test("the catalog has exactly the specification's codes and the added ones", () => {
    expect(Object.keys(errorCatalog).toSorted()).toEqual([...codes, ...added].toSorted());
  });

  test.each(conditions)("$condition: $status $code", ({ code, status }) => {
    expect(errorCatalog[code].status).toBe(status);
  });

  test("codes without a status in the specification have the decided one", () => {
    const decided = {
      400: [
        "invalid_json",
        "invalid_arg",
        "invalid_slug",
        "invalid_id",
        "invalid_filename",
        "token_required",
        "title_required",
        "title_too_long",
        "description_too_long",
        "html_too_large",
        "context_too_large",
        "blob_too_large",
        "expired_code",
        "secrets_found",
      ],
      401: ["invalid_token"],
      403: ["forbidden", "insufficient_scope"],
      404: ["version_not_found"],
      405: ["method_not_allowed"],
      409: ["idempotency_key_reused", "last_owner_cannot_leave", "several_match"],
      412: ["precondition_failed"],
      429: ["daily_quota_exceeded", "quota_exceeded", "version_limit_reached"],
      500: ["internal_error"],
      501: ["format_not_supported"],
      502: ["idp_unavailable"],
      503: ["unavailable"],
    };
    const expected = Object.entries(decided).flatMap(([status, names]) =>
      names.map((name) => [name, Number(status)]),
    );
    const conditioned = new Set<string>(conditions.map(({ code }) => code));

    const actual = Object.entries(errorCatalog).map(([code, { status }]) => [code, status]);

    expect(actual).toEqual(expect.arrayContaining(expected));
    expect(new Set([...conditioned, ...expected.map(([name]) => name)])).toEqual(
      new Set(Object.keys(errorCatalog)),
    );
  });

  test.each(Object.entries(errorCatalog))("%s has a complete sentence as message", (_code, { message }) => {
    for (const audience of ["http", "tool"] as const)
      expect(wordsFor(audience, message)).toMatch(/^\S+ .+\.$/);
  });

  test.each(["unauthorized", "not_found"] as const)(
    "%s is the only code with its status on operations that require a token",
    (code) => {
      const { status } = errorCatalog[code];
      const authenticated = operationIds.map(routeOf).filter((route) => route.caller === "token");

      const found = authenticated.flatMap((route) =>
        route.errors.filter((name) => errorCatalog[name].status === status),
      );

      expect(new Set(found)).toEqual(new Set([code]));
    },
  );
});
