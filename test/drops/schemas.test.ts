import { describe, expect, test } from "vitest";
import type { output } from "zod/v4/core";
import { limits } from "../../functions/core/limits.ts";
import {
  editDropBody,
  publishDropBody,
  publishVersionBody,
  setPasscodeBody,
} from "../../functions/drops/schemas.ts";
import { parseJson, validate } from "../../functions/http/validation.ts";
import { startSignInBody } from "../../functions/identity/schemas.ts";
import { expectRefusal } from "../support/expect-refusal.ts";

/** A code point outside the Basic Multilingual Plane: two UTF-16 units, four bytes in UTF-8. */
const leaf = "🍃";
const loneSurrogate = "\ud83c";

describe("html", () => {
  test("is counted in UTF-8 bytes: exactly the limit is accepted, one byte more is refused", () => {
    const full = leaf.repeat(limits.htmlBytesMax / 4);

    expect(publishing({ html: full }).html).toBe(full);
    expectRefusal(() => publishing({ html: `${full}x` }), "html_too_large", ["html", "2097153", "2097152"]);
  });

  test.each([[{}], [{ html: null }], [{ html: "" }]])("is required: %j", (fields) => {
    expectRefusal(() => validate(publishDropBody, { title: "T", ...fields }), "html_required", ["html"]);
    expectRefusal(() => validate(publishVersionBody, fields), "html_required", ["html"]);
  });

  test.each([
    [42, "number"],
    [["<p>"], "array"],
    [{}, "object"],
  ])("must be a string: %j", (html, came) => {
    expectRefusal(() => publishing({ html }), "invalid_arg", ["html", "string", came]);
  });

  test("must be well-formed Unicode, because anything else could not be stored byte for byte", () => {
    expectRefusal(() => publishing({ html: `<p>${loneSurrogate}` }), "invalid_arg", ["html", "surrogate"]);
  });
});

describe("title", () => {
  test("is counted in code points after trimming", () => {
    const full = leaf.repeat(limits.titleCodePointsMax);

    expect(publishing({ title: ` ${full}\n` }).title).toBe(full);
    expectRefusal(() => publishing({ title: `${full}x` }), "title_too_long", ["title", "201", "200"]);
  });

  test.each([[undefined], [null], [""], [" \n\t\u00a0"], ["\u200b"], [" \u2060\ufeff\u3164\u00ad "]])(
    "is required, and white space is not a title: %j",
    (title) => {
      expectRefusal(() => publishing({ title }), "title_required", ["title"]);
    },
  );

  test("can be absent in a new version and an edit, but not empty", () => {
    expect(validate(publishVersionBody, { html: "<p>" }).title).toBeUndefined();
    expect(validate(editDropBody, {}).title).toBeUndefined();
    expectRefusal(() => validate(publishVersionBody, { html: "<p>", title: " " }), "title_required", [
      "title",
    ]);
    expectRefusal(() => validate(editDropBody, { title: "" }), "title_required", ["title"]);
    expectRefusal(() => validate(editDropBody, { title: null }), "title_required", ["title"]);
  });

  test("must be a string of well-formed Unicode", () => {
    expectRefusal(() => publishing({ title: 7 }), "invalid_arg", ["title", "string", "number"]);
    expectRefusal(() => publishing({ title: `T${loneSurrogate}` }), "invalid_arg", ["title", "surrogate"]);
  });
});

describe("visibility", () => {
  test.each(["public", "unlisted", "members", "people"])(
    "may be %s, in every call that publishes or edits",
    (visibility) => {
      expect(publishing({ visibility }).visibility).toBe(visibility);
      expect(validate(publishVersionBody, { html: "<p>", visibility }).visibility).toBe(visibility);
      expect(validate(editDropBody, { visibility }).visibility).toBe(visibility);
      expect(validate(editDropBody, {}).visibility).toBeUndefined();
    },
  );

  test.each([
    ["private", '"private"'],
    ["Public", '"Public"'],
    ["", '""'],
    [null, "null"],
    [true, "a boolean"],
    [["public"], "an array"],
  ])("is refused as %j, with the value and the allowed ones", (visibility, came) => {
    expectRefusal(() => publishing({ visibility }), "invalid_arg", [
      "visibility",
      '"public", "unlisted", "members", "people"',
      came,
    ]);
    expectRefusal(() => validate(editDropBody, { visibility }), "invalid_arg", ["visibility", came]);
  });
});

describe("readers", () => {
  test("are e-mail addresses, domains and user names, without duplicates", () => {
    const { readers } = publishing({
      readers: ["Ada@Example.com", " ada@example.com", "@example.org", "ADA"],
    });

    expect(readers).toEqual([
      { kind: "email", email: "ada@example.com" },
      { kind: "domain", domain: "example.org" },
      { kind: "username", username: "ada" },
    ]);
  });

  test("are at least one and at most 50", () => {
    const names = Array.from({ length: 51 }, (_, index) => `reader-${index}`);

    expect(publishing({ readers: names.slice(1) }).readers).toHaveLength(50);
    for (const [readers, came] of [
      [names, "51 entries"],
      [[], "0 entries"],
      ["ada", "not a string"],
      [null, "not null"],
    ]) {
      expectRefusal(() => publishing({ readers }), "invalid_arg", ["readers", "1 to 50", String(came)]);
    }
  });

  test("are refused if no one can match them, with the valid forms", () => {
    const right = ["ada@example.com", "@example.com", "username:ada"];

    for (const wrong of ["ada lovelace", "@ada", "ada@localhost", ""]) {
      const words = ["readers[1]", JSON.stringify(wrong), ...right];
      expectRefusal(() => publishing({ readers: ["ada", wrong] }), "invalid_arg", words);
    }
    expectRefusal(() => publishing({ readers: [7] }), "invalid_arg", ["readers[0]", "a number", ...right]);
  });

  test("have at most 100 bytes, without surrounding white space", () => {
    const full = `${"a".repeat(60)}@${"b".repeat(35)}.org`;

    expect(publishing({ readers: [` ${full} `] }).readers).toEqual([{ kind: "email", email: full }]);
    expectRefusal(() => publishing({ readers: [`a${full}`] }), "invalid_arg", [
      "readers[0]",
      "101 bytes",
      "100",
    ]);
    expectRefusal(() => publishing({ readers: ["é".repeat(51)] }), "invalid_arg", ["102 bytes"]);
  });
});

describe("description", () => {
  test("is counted in code points, and stored unchanged", () => {
    const full = `${leaf.repeat(limits.descriptionCodePointsMax - 1)} `;

    expect(publishing({ description: full }).description).toBe(full);
    expectRefusal(() => publishing({ description: `${full}x` }), "description_too_long", [
      "description",
      "501",
      "500",
    ]);
  });

  test("is deleted by null, and unchanged if absent", () => {
    expect(validate(editDropBody, { description: null }).description).toBeNull();
    expect(validate(editDropBody, {})).not.toHaveProperty("description");
  });

  test("must be a string of well-formed Unicode", () => {
    expectRefusal(() => publishing({ description: false }), "invalid_arg", [
      "description",
      "string",
      "boolean",
    ]);
    expectRefusal(() => publishing({ description: loneSurrogate }), "invalid_arg", [
      "description",
      "surrogate",
    ]);
  });
});

describe("context", () => {
  test("is counted in code points: 65,536 of four bytes are accepted", () => {
    const full = leaf.repeat(limits.contextCodePointsMax);

    expect(publishing({ context: full }).context).toBe(full);
    expectRefusal(() => publishing({ context: `${full}x` }), "context_too_large", [
      "context",
      "65537",
      "65536",
    ]);
  });

  test("must be a string of well-formed Unicode", () => {
    expectRefusal(() => publishing({ context: ["a"] }), "invalid_arg", ["context", "string", "array"]);
    expectRefusal(() => publishing({ context: null }), "invalid_arg", ["context", "string", "null"]);
    expectRefusal(() => publishing({ context: loneSurrogate }), "invalid_arg", ["context", "surrogate"]);
  });
});

describe("passcode", () => {
  test.each(["abcd", "    ", leaf.repeat(4), "a".repeat(limits.passcodeBytesMax)])(
    "is long enough as %s",
    (passcode) => {
      expect(validate(setPasscodeBody, { passcode }).passcode).toBe(passcode);
    },
  );

  test.each(["a", "abc", leaf.repeat(3)])("is too short as %s, because code points count", (passcode) => {
    expectRefusal(() => validate(setPasscodeBody, { passcode }), "passcode_too_short", ["passcode", "4"]);
    expectRefusal(() => publishing({ passcode }), "passcode_too_short", ["passcode", "4"]);
  });

  test("has a maximum in bytes, because scrypt reads all of it", () => {
    const passcode = "a".repeat(limits.passcodeBytesMax + 1);

    expectRefusal(() => validate(setPasscodeBody, { passcode }), "invalid_arg", ["passcode", "1025", "1024"]);
  });

  test("is the same in composed and decomposed Unicode", () => {
    const composed = validate(setPasscodeBody, { passcode: "caf\u00e9" }).passcode;
    const decomposed = validate(setPasscodeBody, { passcode: "cafe\u0301" }).passcode;

    expect(decomposed).toBe(composed);
  });

  test("is counted after normalization: a ligature counts as its letters", () => {
    expect(validate(setPasscodeBody, { passcode: "\ufb03ab" }).passcode).toBe("ffiab");
  });

  test("is removed by the empty string", () => {
    expect(validate(setPasscodeBody, { passcode: "" }).passcode).toBe("");
  });

  test.each([[{}], [{ passcode: null }]])("is required on its own endpoint: %j", (body) => {
    expectRefusal(() => validate(setPasscodeBody, body), "passcode_required", ["passcode"]);
  });

  test("must be a string of well-formed Unicode", () => {
    expectRefusal(() => validate(setPasscodeBody, { passcode: 1234 }), "invalid_arg", [
      "passcode",
      "string",
      "number",
    ]);
    expectRefusal(() => validate(setPasscodeBody, { passcode: `abcd${loneSurrogate}` }), "invalid_arg", [
      "passcode",
      "surrogate",
    ]);
  });
});

describe("a body", () => {
  test.each([["<p>"], [""], [null], [1], [false]])("of PATCH with html is refused, even as %j", (html) => {
    expectRefusal(() => validate(editDropBody, { html, title: "T" }), "metadata_only_on_patch", [
      "html",
      "PUT",
    ]);
  });

  test.each([
    [null, "null"],
    [[], "array"],
    ["text", "string"],
    [1, "number"],
  ])("must be an object: %j", (body, came) => {
    for (const schema of [
      publishDropBody,
      publishVersionBody,
      editDropBody,
      setPasscodeBody,
      startSignInBody,
    ]) {
      expectRefusal(() => validate(schema, body), "invalid_arg", ["object", came]);
    }
  });

  test("can have unknown fields, which are ignored", () => {
    expect(validate(editDropBody, { title: "T", colour: "green" })).toEqual({ title: "T" });
  });

  test.each([["{"], ["{'a':1}"], ["[1,]"], ["undefined"]])("that is not JSON is refused: %s", (text) => {
    expectRefusal(() => parseJson(Buffer.from(`${text} `)), "invalid_json", ["JSON"]);
  });

  test("can begin with a byte order mark, which is ignored (RFC 8259, section 8.1)", () => {
    expect(parseJson(Buffer.from('\ufeff{"title":"T"}'))).toEqual({ title: "T" });
  });

  test("must be UTF-8", () => {
    expectRefusal(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), "invalid_json", ["UTF-8"]);
  });

  test("that starts a sign-in can have a label of at most 100 code points", () => {
    const label = leaf.repeat(limits.labelCodePointsMax);

    expect(validate(startSignInBody, { label }).label).toBe(label);
    expectRefusal(() => validate(startSignInBody, { label: `${label}x` }), "invalid_arg", [
      "label",
      "101",
      "100",
    ]);
  });
});

function publishing(fields: Record<string, unknown>): output<typeof publishDropBody> {
  return validate(publishDropBody, {
    html: "<p>",
    title: "T",
    ...fields,
  });
}
