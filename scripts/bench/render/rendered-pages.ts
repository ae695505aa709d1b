/** Pages of the kinds that are published, as their readers' frames get them. */
export const renderedPages: Readonly<Record<string, string>> = {
  "a small page": page("<h1>Hello</h1><p>A few words, and <a href='https://example.com/'>a link</a>.</p>"),
  "a report of 1 MB": page(
    Array.from(
      { length: 4_000 },
      (_, row) =>
        `<section><h2>Part ${row}</h2><p>${"Words that somebody may read. ".repeat(7)}</p></section>`,
    ).join(""),
  ),
  "a page of charts": page(
    `<h1>Charts</h1><div id="charts"></div><script>
      for (let chart = 0; chart < 12; chart += 1) {
        const canvas = document.createElement("canvas");
        canvas.width = 640; canvas.height = 320; canvas.setAttribute("role", "img"); canvas.setAttribute("aria-label", "A line");
        document.querySelector("#charts").append(canvas);
        const context = canvas.getContext("2d");
        let drawn = 0;
        const step = () => {
          context.clearRect(0, 0, 640, 320); context.beginPath();
          for (let x = 0; x < 640 * drawn; x += 1) context.lineTo(x, 160 + 120 * Math.sin(x / (10 + chart)));
          context.stroke(); drawn += 0.05;
          if (drawn <= 1) requestAnimationFrame(step);
        };
        step();
      }
    </script>`,
  ),
};

function page(body: string): string {
  return `<!doctype html><html lang="en"><head><title>Measured</title><style>body { font-family: sans-serif; margin: 2rem } @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style></head><body>${body}</body></html>`;
}
