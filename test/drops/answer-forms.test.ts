import { describe, expect, test } from "vitest";
import { directAnswerForms, findAnswerForms } from "../../functions/drops/answer-forms.ts";

const formsOf = (html: string) =>
  findAnswerForms(Buffer.from(html)).map(({ name, isMany, fields }) => ({
    name,
    isMany,
    fields: Object.fromEntries(fields),
  }));

describe("a page's answer forms", () => {
  test("have the fields of the page, with their kind", () => {
    expect(
      formsOf(
        `<form data-answers=vote><input type=radio name=day value=Mon><input type="CHECKBOX" name="extra">
        <select name=size><option>S</select><textarea name="why &amp; how"></textarea><input name=who>
        <button name=send value=1>Send</button><input type=file name=cv><input value="no name"></form>`,
      ),
    ).toEqual([
      {
        name: "vote",
        isMany: false,
        fields: {
          day: "choice",
          extra: "choice",
          size: "choice",
          "why & how": "text",
          who: "text",
          send: "text",
          cv: "file",
        },
      },
    ]);
  });

  test("include fields elsewhere on the page that name the form by id", () => {
    expect(
      formsOf(
        `<input name=early form=f><form id=f data-answers=a><input name=x form=other></form><input name=late form=f>`,
      ),
    ).toEqual([{ name: "a", isMany: false, fields: { early: "text", late: "text" } }]);
  });

  test.each([
    ["has no name", "<form data-answers><input name=x></form>"],
    ["has a name that is not a word", `<form data-answers="a b"><input name=x></form>`],
    ["has no attribute", "<p>data-answers</p><form><input name=x></form>"],
    ["is in a comment", "<!-- <form data-answers=a><input name=x></form> -->"],
    ["is in a script's text", "<script>'<form data-answers=a>'</script>"],
  ])("do not include a form that %s", (_, html) => {
    expect(formsOf(html)).toEqual([]);
  });

  test("are merged if they have the same name", () => {
    expect(
      formsOf(
        "<form data-answers=a data-answers-many><input name=x></form><form data-answers=a><input name=y></form>",
      ),
    ).toEqual([{ name: "a", isMany: false, fields: { x: "text", y: "text" } }]);
  });
});

test("answer forms are sent to the service instead of their own action, and the rest of the page is unchanged", () => {
  const html = `<p>ä</p><FORM method=get data-answers=vote action="https://evil.example"><input name=x></FORM><form action="/search">`;

  const directed = directAnswerForms(
    Buffer.from(html),
    ({ name }) => `https://dropleaf.test/p/aB3dE5f/answers?form=${name}&v=3`,
  );

  expect(directed.toString()).toBe(
    `<p>ä</p><FORM method="post" enctype="application/x-www-form-urlencoded" action="https://dropleaf.test/p/aB3dE5f/answers?form=vote&amp;v=3" method=get data-answers=vote action="https://evil.example"><input name=x></FORM><form action="/search">`,
  );
});
