import { afterEach, describe, expect, test, vi } from "vitest";
import { changedVisibility, newVisibility, requireAllowed } from "../../functions/drops/drop-access.ts";
import {
  type ReaderRule,
  type Visibility,
  type VisibilityKind,
  visibilityKinds,
} from "../../functions/policies/access.ts";
import { expectRefusal } from "../support/expect-refusal.ts";

const ada: readonly ReaderRule[] = [{ kind: "username", username: "ada" }];
const grace: readonly ReaderRule[] = [{ kind: "email", email: "grace@example.com" }];
const others: readonly Visibility[] = [{ kind: "public" }, { kind: "unlisted" }, { kind: "members" }];
const toAda: Visibility = { kind: "people", readers: ada };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the visibility of a drop", () => {
  test.each([...others, toAda])("stays unchanged without the field: $kind", (current) => {
    expect(changedVisibility(current, {})).toEqual(current);
  });

  test.each(others)("becomes the given value, without named readers: $kind", (wanted) => {
    for (const current of [...others, toAda]) {
      expect(changedVisibility(current, { visibility: wanted.kind })).toEqual(wanted);
    }
  });

  test("keeps its named readers until they are replaced", () => {
    for (const current of others) {
      expect(changedVisibility(current, { visibility: "people", readers: ada })).toEqual(toAda);
      expectRefusal(() => changedVisibility(current, { visibility: "people" }), "invalid_arg", [
        "readers",
        "50",
      ]);
    }
    expect(changedVisibility(toAda, { visibility: "people" })).toEqual(toAda);
    expect(changedVisibility(toAda, { readers: grace })).toEqual({ kind: "people", readers: grace });
  });

  test("can have readers only if it is for people, which the error says", () => {
    const message = ["readers", '"visibility": "people"'];
    for (const current of others) {
      expectRefusal(() => changedVisibility(current, { readers: ada }), "invalid_arg", [
        ...message,
        current.kind,
      ]);
    }
    expectRefusal(
      () => changedVisibility(toAda, { visibility: "members", readers: ada }),
      "invalid_arg",
      message,
    );
  });
});

describe("a new drop without visibility", () => {
  test("is public, or has the operator's default", () => {
    expect(newVisibility({})).toEqual({ kind: "public" });

    vi.stubEnv("DEFAULT_VISIBILITY", "unlisted");

    expect(newVisibility({})).toEqual({ kind: "unlisted" });
    expect(newVisibility({ visibility: "public" })).toEqual({ kind: "public" });
  });
});

describe("the most open visibility that the operator allows", () => {
  test.each(visibilityKinds)("is %s: a more open one is refused, with the allowed ones", (mostOpen) => {
    vi.stubEnv("MOST_OPEN_VISIBILITY", mostOpen);
    const rank = visibilityKinds.indexOf(mostOpen);

    for (const kind of visibilityKinds.slice(0, rank)) {
      expectRefusal(() => requireAllowed(visibilityOf(kind)), "invalid_arg", [
        "visibility",
        `"${kind}"`,
        `"${mostOpen}"`,
      ]);
      expectRefusal(() => newVisibility({ visibility: kind }), "invalid_arg", [`"${mostOpen}"`]);
    }
    expect(() => requireAllowed(visibilityOf(mostOpen))).not.toThrow();
  });
});

function visibilityOf(kind: VisibilityKind): Visibility {
  return kind === "people" ? toAda : { kind };
}
