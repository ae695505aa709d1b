import { expect, test } from "vitest";
import { downloadName } from "../../functions/viewer/page-download.ts";

const slug = "aB3dE5f";

test.each([
  ["Quarterly numbers", "Quarterly numbers.html"],
  ["  a \t\n b  ", "a b.html"],
  ["../../etc/passwd", "-..-etc-passwd.html"],
  ["C:\\Users\\ada", "C-Users-ada.html"],
  ['who?<>|*"what":', "who-what-.html"],
  ["invoice\u202efdp.exe", "invoicefdp.exe.html"],
  ["a\u0000b\u0007c", "abc.html"],
  ["...", `${slug}.html`],
  ["\u200b\u202e", `${slug}.html`],
  ["CON", `${slug} CON.html`],
  ["nul.txt", `${slug} nul.txt.html`],
  ["Console", "Console.html"],
  ["تقرير 🍃", "تقرير 🍃.html"],
])("a drop with the title %j is downloaded as %j", (title, name) => {
  expect(downloadName({ drop: { title, slug, latest: { version: 1 } }, version: 1 })).toBe(name);
});

test.each(["x", "🍃", "é", "e\u0301"])(
  "a name of 200 times %j is cut between characters to at most 130 bytes",
  (one) => {
    const drop = { title: one.repeat(200), slug, latest: { version: 201 } };
    const name = downloadName({ drop, version: 200 });

    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130);
    expect(name).toMatch(/^(.+) v200\.html$/u);
    expect(name.replace(" v200.html", "").replaceAll(one, "")).toBe("");
  },
);
