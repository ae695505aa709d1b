import { expect, test } from "vitest";
import { type GatePageProps, renderGatePage } from "../../functions/pages/gate-page.tsx";
import { nonce } from "./nonce.ts";
import { elementById, findElements } from "./parsed-page.ts";

const action = "/p/aB3dE5f/unlock?v=2";

function gate(changes: Partial<GatePageProps> = {}): string {
  return renderGatePage({ action, wrong: false, nonce, ...changes });
}

test("one field takes the passcode and has the focus", () => {
  const html = gate();

  expect(findElements(html, "form")[0]?.attributes).toEqual({ method: "post", action });
  expect(findElements(html, "input")).toHaveLength(1);
  expect(elementById(html, "passcode").attributes).toMatchObject({
    name: "passcode",
    type: "password",
    autofocus: "",
  });
});

test("a first visit sees no complaint", () => {
  expect(findElements(gate(), "p").filter(({ attributes }) => attributes.role === "alert")).toEqual([]);
});

test("a wrong passcode is said next to the field, which is marked and keeps the focus", () => {
  const html = gate({ wrong: true });

  expect(elementById(html, "notice")).toMatchObject({
    attributes: { role: "alert" },
    text: expect.stringContaining("not the passcode"),
  });
  expect(elementById(html, "passcode").attributes).toMatchObject({
    autofocus: "",
    "aria-invalid": "true",
    "aria-describedby": "notice",
  });
});

test.each([
  [1, "a minute"],
  [61, "2 minutes"],
  [900, "15 minutes"],
])("a wait of %i seconds is said as %s", (waitSeconds, words) => {
  expect(elementById(gate({ wrong: true, waitSeconds }), "notice").text).toContain(words);
});
