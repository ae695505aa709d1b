import { expect, test } from "vitest";
import { createDrop } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import type { HttpRequest } from "../../functions/http/request.ts";
import { entityTag, isNamed, readIfMatch } from "../../functions/http/response.ts";
import { expectRefusal } from "../support/expect-refusal.ts";

function read(...values: string[]) {
  return readIfMatch({ headers: values.length > 0 ? { "if-match": values } : {} } as unknown as HttpRequest);
}

test("an absent If-Match header, * and lists of tags are parsed as in RFC 9110", () => {
  expect(read()).toBeUndefined();
  expect(read(" * ")).toBe("any");
  expect(read('"a"')).toEqual(['"a"']);
  expect(read('"a", W/"b" ,, "c,d"', '"e"')).toEqual(['"a"', 'W/"b"', '"c,d"', '"e"']);
});

test.each(["", "a", '"a', '"a" "b"', 'w/"a"', '"a", *', '* , "a"', '"a b"'])(
  "the If-Match value %j is refused with the right syntax",
  (value) => {
    expectRefusal(() => read(value), "invalid_arg", [
      "If-Match must be `*` or entity tags",
      JSON.stringify(value),
    ]);
  },
);

test("a drop's entity tag depends on its last change, not on its views", () => {
  const page = toStoredPage("aB3dE5f", "0123456789abcdef", { html: "<p>" });
  const identity = { slug: "aB3dE5f", passcodeHash: undefined, nowMs: Date.UTC(2026, 0, 15) };
  const { drop } = createDrop({ userId: "u", namespace: "ada" }, { title: "A page" }, page, identity);
  const tag = entityTag(drop);

  expect(tag).toMatch(/^"\d+-[0-9a-z]+"$/);
  const viewed = { ...drop, viewCount: 99 };
  expect(entityTag(viewed)).toBe(tag);
  for (const changed of [{ revision: 99 }, { updatedAtMs: 99 }]) {
    expect(isNamed([tag], { ...drop, ...changed })).toBe(false);
  }
  expect(isNamed(["W/x", tag], drop)).toBe(true);
  expect(isNamed("any", drop)).toBe(true);
  expect(isNamed([`W/${tag}`], drop)).toBe(false);
});
