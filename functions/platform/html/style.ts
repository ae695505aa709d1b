/**
 * The visual language of all pages. A leaf is a sheet of paper: surfaces have two sharp and two round corners
 * (`--leaf`), and what grows over time hangs on a stem (`.sprig`). One green is the only accent, space does the
 * rest. Contrast is WCAG 2.2 AA in both themes.
 */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --paper: #eef3ec;
  --sheet: #fdfefc;
  --ink: #15201a;
  --quiet: #4f5e55;
  --line: #d3ddd3;
  --edge: #74847a;
  --accent: #13663f;
  --on-accent: #fff;
  --tint: #dceade;
  --sprout: #6fae88;
  --leaf: 2px 2.75rem 2px 2.75rem;
  --leaf-small: 2px .875rem 2px .875rem;
  --text: -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", Ubuntu, Cantarell, system-ui, sans-serif;
  --code: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1511;
    --sheet: #171f1a;
    --ink: #e3ebe4;
    --quiet: #9eaea3;
    --line: #2a352e;
    --edge: #6f7f75;
    --accent: #86d4a5;
    --on-accent: #0a1910;
    --tint: #1e3227;
    --sprout: #4c8a66;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 var(--text);
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-weight: 500; line-height: 1.12; letter-spacing: -.025em; text-wrap: balance; }
h2, h3 { font-size: 1rem; font-weight: 600; line-height: 1.4; }
p { text-wrap: pretty; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
::selection { background: var(--accent); color: var(--on-accent); }
code, pre { font: .875em/1.6 var(--code); }
pre { white-space: pre-wrap; }
[hidden] { display: none !important; }
.leaf { flex: none; width: 1.5rem; height: 1.5rem; fill: var(--accent); }
.leaf .rib { stroke: var(--paper); stroke-width: 1.6; }
.icon { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.quiet { color: var(--quiet); }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 3rem;
  padding: .625rem 1.5rem;
  border: 1px solid transparent;
  border-radius: var(--leaf-small);
  background: var(--accent);
  color: var(--on-accent);
  font: 600 1rem/1.3 var(--text);
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
.button.second { border-color: var(--edge); background: none; color: var(--accent); }
.button.second:hover { background: var(--tint); }
.field {
  width: 100%;
  min-height: 3rem;
  padding: .5rem .875rem;
  border: 1px solid var(--edge);
  border-radius: var(--leaf-small);
  background: var(--sheet);
  color: inherit;
  font: inherit;
}
.field::placeholder { color: var(--quiet); opacity: 1; }
.sprig { position: relative; }
.sprig::before {
  content: "";
  position: absolute;
  inset: .875rem auto .875rem 1rem;
  width: 2px;
  background: var(--line);
}
.sprig:has(> :only-child)::before { content: none; }
.sprig > li { position: relative; padding-left: 2.75rem; }
.sprig > li::before {
  content: "";
  position: absolute;
  top: .875rem;
  left: 1.0625rem;
  width: .875rem;
  height: .875rem;
  border-radius: 55% 0;
  background: var(--sprout);
}
.sprig > li:nth-child(odd)::before { left: .1875rem; border-radius: 0 55%; }
@media (scripting: none) { .scripted { display: none !important; } }
@media (forced-colors: active) {
  .leaf { fill: LinkText; }
  .sprig > li::before { border: 1px solid CanvasText; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --sheet: #fff; --ink: #000; --quiet: #444; --accent: #000; --tint: #f4f4f4; }
  .button, nav, form { display: none !important; }
}
`;
