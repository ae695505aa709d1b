import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinQuery } from "../../functions/http/page-operation.ts";
import { pageQueryOf } from "../../functions/viewer/page-query.ts";

describe("a page's query", () => {
  test.each([
    ["", ""],
    ["v=1", ""],
    ["x=1&v=2", "x=1"],
    ["x=%20+;&x=&y&&=z", "x=%20+;&x=&y&&=z"],
    ["%76=1&%66ramed=1&downloa%64", ""],
    ["drawn=card&x=1", "x=1"],
    ["V=1&vv=1&from=d&ticket=t&proof=p&account=a&key=k", "V=1&vv=1&from=d&ticket=t&proof=p&account=a&key=k"],
    ["?//elsewhere.example", "?//elsewhere.example"],
    ["a=1&b=#c&d=\r\nSet-Cookie:x&e=\u00e9&f=g h", "a=1"],
    ["a=%0d%0aSet-Cookie:%20x", "a=%0d%0aSet-Cookie:%20x"],
  ])("of %j is %j", (sent, own) => {
    expect(pageQueryOf(sent)).toBe(own);
  });

  test("is passed on completely or not at all", () => {
    const most = `x=${"1".repeat(2_046)}`;

    expect(pageQueryOf(most)).toBe(most);
    expect(pageQueryOf(`${most}1`)).toBe("");
    const pairs = Array.from({ length: 18 }, (_, index) => `x${index}`).join("&");
    expect(pageQueryOf(`v=1&${pairs}&framed=1`)).toBe(pairs);
    expect(pageQueryOf(`${pairs}&x`)).toBe("");
  });

  test("cannot change the path or the version", {
    tags: "nightly",
  }, () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.base64String());

    fc.assert(
      fc.property(texts, (text) => {
        const address = `/d/aB3dE5f${joinQuery("v=2", pageQueryOf(text))}`;
        const url = new URL(address, "https://ada.dropleaf.test");

        expect(address).toMatch(/^[!-~]+$/);
        expect([url.origin, url.pathname, url.hash]).toEqual(["https://ada.dropleaf.test", "/d/aB3dE5f", ""]);
        expect(url.searchParams.getAll("v")).toEqual(["2"]);
      }),
    );
  });
});
