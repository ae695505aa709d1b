import { describe, expect, test } from "vitest";
import { visitPage } from "../../functions/folders/page-addresses.ts";
import { type CheckedPage, Mistakes } from "../../functions/folders/page-check.ts";
import { processorMs } from "../support/processor-time.ts";

function warningsOf(html: string, more: Omit<CheckedPage, "text"> = {}): readonly string[] {
  const mistakes = new Mistakes();
  mistakes.check({ ...more, text: Buffer.from(html).toString("latin1") });
  return mistakes.warnings();
}

const page = (body: string) =>
  `<!doctype html>\n<html><head><title>x</title></head><body>\n${body}\n</body></html>\n`;

describe("an asset that no reader's browser can load", () => {
  test("is reported with its line and the remedy", () => {
    expect(warningsOf(page(`<p>x</p>\n<img src="./chart.png">`))).toEqual([
      'A single page has no files beside it, so it cannot load "./chart.png" in line 4. Put the file into the page, upload it and use its URL, or publish a folder.',
    ]);
    expect(
      warningsOf(page(`<img src="sandbox:/mnt/data/chart.png"><img src="http://localhost:3000/a.png">`)),
    ).toEqual([
      'Only the computer that made the page can load "sandbox:/mnt/data/chart.png" in line 3, and 1 more. Put the file into the page, or upload it and use its URL.',
    ]);
  });

  test.each([
    `<img src="img/x.png">`,
    `<img srcset="x.png 1x, y.png 2x">`,
    `<script src="/assets/app.js"></script>`,
    `<link rel="stylesheet" href="style.css">`,
    `<link rel="modulepreload" href="a.js">`,
    "<style>@font-face { src: url(fonts/a.woff2) }</style>",
    `<div style="background: url('bg.png')"></div>`,
    `<video poster="a.jpg"></video>`,
    `<video><source src="a.mp4"></video>`,
    `<iframe src="map.html"></iframe>`,
    `<svg><image href="a.png"/></svg>`,
    `<img src="file:///tmp/x.png">`,
    `<img src="C:\\Users\\ada\\x.png">`,
    `<img src="cid:part1">`,
    `<img src="//127.0.0.1:8080/x.png">`,
    `<img src="http://[::1]/x.png">`,
    `<base href="https://elsewhere.example/"><img src="x.png">`,
    `<template><p>x</p></template><img src="x.png">`,
  ])("is found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([expect.stringMatching(/ can(?:not)? load "/)]);
  });

  test.each([
    `<img src="https://elsewhere.example/x.png"><img src="//elsewhere.example/x.png">`,
    `<img src="data:image/png;base64,AA=="><img src=""><img>`,
    `<img src="/b/abcdefg"><img src="/@ada/b/abcdefg"><iframe src="/p/abcdefg/raw"></iframe>`,
    `<a href="other.html">x</a><a href="http://localhost:3000">x</a><form action="/send"></form>`,
    `<link rel="canonical" href="/x"><link rel="alternate" href="feed.xml"><meta property="og:image" content="x.png">`,
    `<button formaction="/send">x</button><meta http-equiv="refresh" content="5; url=next.html">`,
    `<img src="{{ url }}"><img src="<%= url %>"><script src="https://x.example/vue.js"></script>`,
    `<svg><use href="#a"/></svg><div style="filter: url(#blur)"></div>`,
    `<iframe src="about:blank"></iframe><iframe src="javascript:void 0"></iframe>`,
    `<template><img src="\${x}.png"></template><noscript><img src="x.png"></noscript>`,
    `<script>const image = '<img src="x.png">';</script><!-- <img src="x.png"> --><textarea><img src="x.png"></textarea>`,
    `<pre>&lt;img src="x.png"&gt;</pre>`,
    `<img src="http://localhost.example.com/x.png"><img src="https://x.example/localhost/x.png">`,
  ])("is not found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([]);
  });

  test("is not found at the hosts of a service on this machine", () => {
    const isOwnHost = (host: string) => host === "localhost:8787";

    expect(warningsOf(page(`<img src="http://localhost:8787/b/abcdefg">`), { isOwnHost })).toEqual([]);
    expect(warningsOf(page(`<img src="http://localhost:3000/x.png">`), { isOwnHost })).toHaveLength(1);
  });

  test("is reported with the line in the Markdown source if the source contains the URL", () => {
    const source = "# x\n\n![](chart.png)\n";

    expect(warningsOf(page(`<h1>x</h1><img src="chart.png">`), { source })[0]).toContain(
      '"chart.png" in line 3.',
    );
    expect(warningsOf(page(`<img src="a%20b.png">`), { source })[0]).toContain('"a%20b.png". ');
  });
});

describe("JSX", () => {
  test.each([
    `<div className="card">x</div>`,
    `<div style={{ color: "red" }}>x</div>`,
    `<button onClick={() => setOpen(true)}>x</button>`,
    "<ul>{items.map((item) => (<li key={item.id}>{item.name}</li>))}</ul>",
    "<ul>{items.map(toRow)}</ul>",
  ])("is found in %s", (body) => {
    expect(warningsOf(page(body))[0]).toContain("JSX");
  });

  test.each([
    `<script type="text/babel">const a = <div className="card" onClick={() => x}/>;</script>`,
    `<pre><code>&lt;div className="card"&gt; {items.map((a) => a)}</code></pre>`,
    `<textarea><div className="x" style={{}}></textarea>`,
    `<!-- <div className="card" onClick={x}> -->`,
    `<div title='<div className="card">' x-data={open:false} @click={open=true}>x</div>`,
    `<my-element className="x"></my-element>`,
    `<p>Write a { b } c, or f(x) { return x; }</p>`,
    `<div onclick="{ go() }">x</div>`,
  ])("is not found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([]);
  });
});

describe("unfilled template syntax", () => {
  test.each([
    "<h1>{{ title }}</h1>",
    "<p>{{{ body }}}</p>",
    "<p>{{ isOpen ? 'yes' : 'no' }}</p>",
    "<p>{{ date | date: '%Y' }}</p>",
    "<ul>{% for item in items %}<li>x</li>{% endfor %}</ul>",
    "<p><%= user.name %></p>",
    "<p><?php echo $name; ?></p>",
    `<a href="{{ url }}">x</a>`,
    "<a href={{url}}>x</a>",
    "<pre>x</pre><p>{{ title }}</p>",
    `<p>{{ total | currency }}</p><script>new Chart(document.querySelector("canvas"), {});</script>`,
    `<p>{{ total }}</p><script type="application/json">{"total": 1}</script>`,
  ])("is found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([expect.stringContaining("template syntax")]);
  });

  test.each([
    `<div id="app">{{ title }}</div><script src="https://unpkg.com/vue@3"></script>`,
    `<div id="app">{{ title }}</div><script type="module">import { createApp } from "https://x.example/vue.js";</script>`,
    `<p>{{ name }}</p><script>document.body.innerHTML = document.body.innerHTML.replaceAll("x", "y");</script>`,
    `<script type="text/x-handlebars"><h1>{{ title }}</h1></script><template><h1>{{ title }}</h1></template>`,
    "<pre>{{ title }} {% if x %}</pre><p>Use <code>{{ title }}</code> or <kbd>{% raw %}</kbd>.</p>",
    "<textarea>{{ title }}</textarea><!-- {{ title }} -->",
    "<td>{{x: number|y: number}}</td><td>{{name:string, isOpen: boolean}}</td>",
    `<p data-help="{{ title }}" title="{% if x %}">Sets such as {{1, 2}, {3}} and {{}}.</p>`,
    `<math><annotation encoding="application/x-tex">{{x}}</annotation></math><p>\\frac{{\\alpha}}{{b_1}^2}</p>`,
    "<p>&lt;%= name %&gt; and 5 <% 6, <p>",
  ])("is not found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([]);
  });
});

describe("a page that was escaped twice", () => {
  test.each([
    String.raw`<!doctype html>\n<html>\n<body>\n<h1>x</h1>\n</body>\n</html>`,
    String.raw`<div class=\"card\">x</div>`,
  ])("is found in %s", (html) => {
    expect(warningsOf(html)[0]).toContain("escaped line breaks or quotes");
  });

  test.each([
    String.raw`<table><tr><td>\n</td><td>new line</td></tr><tr><td>\t</td></tr></table>`,
    String.raw`<table><tr><td>\n</td><td>line</td></tr><tr><td>\r\n</td><td>line of Windows</td></tr></table>`,
    String.raw`<p>Write <b>a</b>\n<b>b</b>, or \n and \t.</p>`,
    String.raw`<pre><b>a</b>\n<b>b</b>\n<b>c</b></pre><script>const a = "<p>\n<p>\n<p>";</script>`,
    String.raw`<textarea><p>\n<p>\n<p></textarea><p title="\n<p>\n">x</p>`,
  ])("is not found in %s", (body) => {
    expect(warningsOf(page(body))).toEqual([]);
  });
});

describe("a truncated page", () => {
  test.each([
    `<p>x</p>\n<div class="ca`,
    "<p>x</p>\n<div",
    "<p>x</p>\n<div ",
    "<p>x\n</di",
    "<p>x</p>\n<!-- and",
    "<p>x</p>\n<script>const a = 1;",
    "<p>x</p>\n<style>p { color: red }",
  ])("is found in %j", (html) => {
    expect(warningsOf(html)).toEqual([expect.stringContaining("line 2")]);
    expect(warningsOf(html)[0]).toContain("ends inside");
  });

  test.each([
    "<p>x",
    "<p>x</p>",
    "<p>1 < 2",
    "<p>x</p> <",
    "<p>x</p><!-- x -->",
    "<p>x</p>\n<br/>\n",
    "<!doctype html>",
    "<script>a</script >",
    "<svg/>",
  ])("is not found in %j", (html) => {
    expect(warningsOf(html)).toEqual([]);
  });
});

describe("a remark in place of content", () => {
  test.each([
    "<!-- rest unchanged -->",
    "<!-- ... rest of the page unchanged ... -->",
    "<!-- The rest of the code remains the same -->",
    "<!-- full HTML here -->",
    "<p>… rest of the content as before …</p>",
    "<p>[full HTML here]</p>",
  ])("is found in %s", (body) => {
    expect(warningsOf(page(`<h1>x</h1>${body}`))[0]).toContain("a remark in place of content");
  });

  test("is found if it is the whole page, even with a title", () => {
    expect(warningsOf("<html><body>Full HTML here</body></html>")[0]).toContain(
      "a remark in place of content",
    );
    expect(warningsOf("<title>A page</title><p>Full HTML here")[0]).toContain("a remark in place of content");
  });

  test.each([
    "<pre><!-- rest unchanged --></pre>",
    "<pre>// ... rest unchanged</pre><code>[full HTML here]</code>",
    "<script>// ... rest of the code unchanged</script><style>/* rest of styles unchanged */</style>",
    "<textarea>... rest unchanged ...</textarea><p title='... rest unchanged ...'>x</p>",
    "<table><tr><td>Rest unchanged</td></tr></table><a href='#'>Full code here</a><a href='#'>[full code here]</a>",
    "<p>The rest of the page is unchanged since May, as the full document here shows.</p>",
    "<!-- main content --><!-- existing code --><!-- Content here --><!-- rest of the head -->",
    "<!-- <div>... rest unchanged ...</div> -->",
  ])("is not found in %s", (body) => {
    expect(warningsOf(page(`<h1>x</h1>${body}`))).toEqual([]);
  });
});

test("a page without tags is reported", () => {
  expect(warningsOf("&lt;p&gt;x")).toEqual([expect.stringContaining("html has no tags")]);
  expect(warningsOf("1 < 2")).toHaveLength(1);
  expect(warningsOf("<br>")).toEqual([]);
});

test("a folder's file without tags is accepted", () => {
  expect(warningsOf("x", { path: "a.html" })).toEqual([]);
});

test("braces in Markdown text are not template syntax", () => {
  const source = "{{ title }} and {items.map((item) => item)}\n<p className={x}>";
  const html = page("<p>{{ title }} and {items.map((item) => item)}</p><p className={x}>");

  expect(warningsOf(html, { source })).toEqual([]);
  expect(warningsOf(html)).toHaveLength(2);
});

test("pages of a folder with the same mistake share a warning, with the first location and the count", () => {
  const mistakes = new Mistakes();
  const isAbsent = (address: string) => address === "none.png";
  for (const path of ["a.html", "b.html"])
    mistakes.check({ path, isAbsent, text: `<p>\n<img src="none.png"><img src="some.png">` });

  expect(mistakes.warnings()).toEqual([
    'The folder has no file at "none.png" in a.html, line 2, and 1 more. Send the missing files, or correct the addresses.',
  ]);
});

describe("a page of 2 MiB is checked within a fixed multiple of its parsing time", {
  tags: "nightly",
}, () => {
  const repeated = (piece: string) => piece.repeat(Math.ceil(2_000_000 / piece.length));
  const ordinary = repeated("<p class=a>Words and more <b>words</b></p>\n");
  const readMs = processorMs(() =>
    visitPage(ordinary, { onTag() {}, onEndTag() {}, onContentAddresses() {} }),
  );

  test("ordinary text", () => {
    expect(processorMs(() => warningsOf(ordinary))).toBeLessThan(4 * readMs);
  });

  test.each([
    ...'<|{{|{{ a |\\n<|<!--|{a.map(|<img src="x|<p style={|rest |<%= a |<?php|<a b=c>|{% if |[[[['.split(
      "|",
    ),
    ...["<img src=x>", "<!-- rest unchanged -->", "<p>{{ a }}", "<img src=http://a:a@", "<code>"],
  ])("%j repeated", (piece) => {
    const html = repeated(piece);

    expect(processorMs(() => warningsOf(html))).toBeLessThan(20 * readMs);
  });
});
