// @module-tag slow

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { openBrowser } from "../support/open-browser.ts";

const gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAA/wAAACwAAAAAAQABAAACAkQBADs=";
const svgImage = (width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="teal"/></svg>`)}`;
const wide = svgImage(1_000, 500);
const avatar = svgImage(48, 48);

/** Page that fits at 390 px and has every element whose size a style could change. */
const fitting = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,"><style>
.avatars{display:inline-flex}.bar{border:1px solid}.scroll{overflow-x:auto}.crop{width:16px;height:16px;overflow:hidden}.narrow{width:60px}.badge{display:inline-block;max-width:40px}
.card{float:right}.fill{width:100%}.columns{display:grid;grid-template-columns:30px 1fr;gap:80px}.grid{display:grid;grid-template-columns:auto 1fr}</style></head><body><main><article>
<h1>Antidisestablish in the heading</h1><h2 class="narrow">Notifications</h2>
<p>80%: <img src="${gif}" width="160" height="10" alt=""><img src="${gif}" width="1" height="20" alt=""><img src="${gif}" width="100%" height="4" alt=""><img src="${gif}" height="12" alt=""></p>
<table><tr><td class="bar"><img src="${gif}" width="85" height="10" alt=""><img src="${gif}" width="15" height="10" alt=""></td><td><code>an_identifier</code></td></tr>
<tr><td><p><img src="${avatar}" alt=""></p></td><td>words that need all of the room that there is in this row</td></tr></table>
<p><img src="x:broken" width="50" height="20"><img src="x:broken" width="50" height="20" alt="Broken"></p>
<span class="avatars"><img src="${avatar}" alt=""><img src="${avatar}" alt=""></span>
<div class="scroll"><img src="${wide}" alt=""><svg width="2400" height="60"><rect width="2400" height="60" fill="#def"/></svg><canvas width="900" height="20"></canvas><pre>${"wide ".repeat(60)}</pre></div>
<div class="scroll" style="display:flex"><figure><img src="${svgImage(300, 40)}" alt=""></figure><figure><img src="${svgImage(300, 40)}" alt=""></figure></div>
<div class="crop"><img src="${wide}" alt=""></div><p style="overflow-x:auto"><img src="${wide}" width="1000" height="500" alt=""></p>
<figure class="card"><img src="${svgImage(120, 60)}" alt=""><figcaption>Figure</figcaption></figure>
<div class="grid"><p><img src="${avatar}" alt=""></p><p>${"text ".repeat(60)}</p></div>
<p><img class="fill" src="${wide}" alt=""></p><video width="300" height="40" controls></video><audio controls></audio>
<iframe width="100%" height="30" title="x"></iframe><object width="80" height="20"></object><svg width="0" height="0" style="position:absolute"><symbol id="a"></symbol></svg>
<svg id="mermaid" width="100%" style="max-width:300px" viewBox="0 0 300 50"><rect width="300" height="50"/></svg><svg width="90" height="30" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>
<section class="columns"><div>Totalizations</div><div>Files</div></section><div class="crop">isObject.js</div>
<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math><pre>short</pre><p class="badge">ok</p></article></main></body></html>`;

/** Page that is too wide for a phone. */
const wider = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title></head><body>
<p><img id="natural" src="${wide}" alt=""></p><p><img id="given" src="${wide}" width="1000" height="500" alt=""></p><figure><img id="figure" src="${wide}" alt=""></figure><figure><img id="both" src="${wide}" width="1000" height="500" alt=""></figure>
<p><a href="#x"><img id="linked" src="${wide}" width="1000" alt=""></a></p><iframe id="frame" width="800" height="50" title="x"></iframe><p>${"long".repeat(100)}</p></body></html>`;

let browser: Browser;
let api: ApiClient;
beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("safety-net"));
});
afterAll(() => browser.close());

/** Opens the page as a plain server sends it. */
async function openPlainly(page: Page, html: string): Promise<void> {
  const address = "http://plain.invalid/";
  await page.route(address, (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body: html }),
  );
  await page.goto(address);
}

const boxesOf = (page: Page) =>
  page.evaluate(() => ({
    boxes: [...document.body.querySelectorAll("*")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${[x, y, width, height].join(" ")} of ${element.scrollWidth}`;
    }),
    fits: document.documentElement.scrollWidth <= innerWidth,
  }));

describe.each([390, 1_280])("at %i px", (width) => {
  test("a page that fits looks as on a plain server, to the pixel", async () => {
    const { raw_url } = await publish(api, { html: fitting });
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await openPlainly(page, fitting);
    const plain = await boxesOf(page);
    const picture = await page.screenshot({ fullPage: true });

    await page.goto(raw_url);

    const served = await boxesOf(page);
    expect(plain.fits).toBe(true);
    expect(served.boxes).toEqual(plain.boxes);
    expect((await page.screenshot({ fullPage: true })).equals(picture)).toBe(true);
    await page.close();
  });
});

test("on a phone, wide images shrink and keep their ratio, frames shrink, and long strings wrap", async () => {
  const { raw_url } = await publish(api, { html: wider });
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });

  await page.goto(raw_url);

  const sizes = await page.evaluate(() =>
    [...document.images].map(({ width, height }) => ({
      isSmall: width > 250 && width <= 344,
      ratio: Math.round((width / height) * 20) / 20,
    })),
  );
  expect(sizes).toEqual(Array.from({ length: 5 }, () => ({ isSmall: true, ratio: 2 })));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.close();
});
