/** Content of a sample page below its heading. */
export type SampleBody =
  /** The height of each bar, in percent. */
  | { readonly kind: "bars"; readonly percents: readonly number[] }
  /** Rows of cells, the first of them the heads. */
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** Coloured fields side by side, each as wide as it says. */
  | { readonly kind: "fields"; readonly fields: readonly (readonly [name: string, width: number])[] }
  | { readonly kind: "prose"; readonly paragraphs: readonly string[] };

/** A page of the kind that agents make: one column, one colour, light and dark, everything inside. */
export function samplePage(
  title: string,
  { lead, hue, body }: { readonly lead: string; readonly hue: number; readonly body: SampleBody },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; --ink: oklch(28% .03 ${hue}); --paper: oklch(98% .01 ${hue}); --key: oklch(52% .13 ${hue}); --soft: oklch(92% .04 ${hue}); }
  @media (prefers-color-scheme: dark) { :root { --ink: oklch(92% .02 ${hue}); --paper: oklch(21% .02 ${hue}); --key: oklch(76% .12 ${hue}); --soft: oklch(31% .05 ${hue}); } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.55 system-ui, sans-serif; border-top: .75rem solid var(--key); }
  main { max-width: 52rem; margin: auto; padding: 2.5rem 1.25rem; }
  h1 { font-size: clamp(1.75rem, 6vw, 3rem); line-height: 1.1; letter-spacing: -.02em; margin: 0 0 .75rem; overflow-wrap: anywhere; }
  .lead { font-size: 1.25rem; max-width: 38rem; margin: 0 0 2rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: start; padding: .75rem 1rem .75rem 0; border-bottom: 1px solid var(--soft); }
  th { color: var(--key); }
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
  ol li { background: var(--soft); border-inline-start: .5rem solid var(--key); padding: .875rem 1.25rem; border-radius: .25rem; }
  .row { display: flex; flex-wrap: wrap; align-items: flex-end; gap: .75rem; }
  .bar { flex: 1; background: var(--key); border-radius: .25rem .25rem 0 0; }
  .field { background: var(--soft); border: 2px solid var(--key); border-radius: .5rem; min-height: 7rem; padding: .75rem 1rem; box-sizing: border-box; }
</style>
</head>
<body>
<main>
  <h1 dir="auto">${title}</h1>
  <p class="lead" dir="auto">${lead}</p>
  ${bodyOf(body)}
</main>
</body>
</html>`;
}

function bodyOf(body: SampleBody): string {
  switch (body.kind) {
    case "bars": {
      const bars = body.percents.map((percent) => `<div class="bar" style="height:${percent}%"></div>`);
      return `<div class="row" style="height:18rem;flex-wrap:nowrap">${bars.join("")}</div>`;
    }
    case "table": {
      const [heads = [], ...rows] = body.rows;
      const rowOf = (cells: readonly string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
      return `<table>${rowOf(heads, "th")}${rows.map((cells) => rowOf(cells, "td")).join("")}</table>`;
    }
    case "list":
      return `<ol>${body.items.map((item) => `<li dir="auto">${item}</li>`).join("")}</ol>`;
    case "fields": {
      const fields = body.fields.map(
        ([name, width]) => `<div class="field" style="flex:${width} 1 ${width * 4}rem">${name}</div>`,
      );
      return `<div class="row">${fields.join("")}</div>`;
    }
    case "prose":
      return body.paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("");
  }
}
