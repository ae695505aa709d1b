import { expect, test } from "vitest";
import { type GatePageProps, renderGatePage } from "../../functions/gate/gate-page.tsx";
import { nonce } from "../html/nonce.ts";
import { elementById, findElements } from "../html/parsed-page.ts";

const action = "/p/aB3dE5f/unlock?v=2";

function gate(changes: Partial<GatePageProps> = {}): string {
  return renderGatePage({ action, wrong: false, nonce, ...changes });
}

test("one field accepts the passcode and has the focus", () => {
  const html = gate();

  expect(findElements(html, "form")[0]?.attributes).toEqual({ id: "gate", method: "post", action });
  expect(findElements(html, "input").flatMap(({ attributes }) => attributes.name ?? [])).toEqual([
    "passcode",
  ]);
  expect(elementById(html, "passcode").attributes).toMatchObject({
    name: "passcode",
    type: "password",
    autofocus: "",
  });
});

test("a first visit shows no error", () => {
  expect(findElements(gate(), "p").filter(({ attributes }) => attributes.role === "alert")).toEqual([]);
});

test("a wrong passcode is reported beside the field, which is marked and keeps the focus", () => {
  const html = gate({ wrong: true });

  expect(elementById(html, "notice")).toMatchObject({
    attributes: { role: "alert", class: "notice problem" },
    text: expect.stringContaining("Wrong passcode"),
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
  [7_201, "3 hours"],
  [86_400, "24 hours"],
])("a wait of %i seconds is shown as %s, with its end", (seconds, words) => {
  const html = gate({ wait: { seconds, untilMs: Date.UTC(2025, 4, 3, 14, 5, 9) } });

  expect(elementById(html, "notice").text).toContain(`Wait ${words}, until`);
  expect(findElements(html, "time")).toMatchObject([
    { attributes: { datetime: "2025-05-03T14:06Z" }, text: expect.stringContaining("14:06 UTC") },
  ]);
  // Without scripts, a reader who has waited can send the form.
  expect(elementById(html, "open").attributes).not.toHaveProperty("disabled");
});

test("the checkbox that shows the passcode is visible only with scripts", () => {
  const [box] = findElements(gate(), "label").filter(
    ({ attributes }) => attributes.class === "check scripted",
  );

  expect(box?.text).toContain("Show");
  expect(elementById(gate(), "show-passcode").attributes).toEqual({
    id: "show-passcode",
    type: "checkbox",
    "aria-controls": "passcode",
  });
});
