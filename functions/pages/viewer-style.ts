/** The rules of the viewer: a quiet bar, what opens from it, and the published page below. */
export const viewerStyle = `
.viewer-page { display: flex; flex-direction: column; height: 100vh; height: 100dvh; overflow: hidden; }
.viewer-page > header {
  position: relative;
  z-index: 1;
  display: flex;
  align-items: center;
  min-height: 3.25rem;
  padding: 0 .5rem;
  border-bottom: 1px solid var(--line);
  background: var(--sheet);
  font-size: .875rem;
  line-height: 1.35;
}
.leaf { margin: 0 .375rem 0 .25rem; }
.leaf .rib { stroke: var(--sheet); }
header :focus-visible { outline-offset: -3px; }
.about { flex: 1; min-width: 0; }
.about summary { gap: .25rem; width: fit-content; max-width: 100%; min-height: 1.5rem; padding: 0 .25rem 0 .375rem; }
.about h1 {
  overflow: hidden;
  font-size: .9375rem;
  font-weight: 600;
  line-height: 1.5;
  letter-spacing: 0;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.about > a { display: block; min-height: 1.5rem; padding: 0 .375rem; line-height: 1.5rem; }
.about a { overflow: hidden; color: var(--quiet); text-decoration: none; text-overflow: ellipsis; white-space: nowrap; }
.about a:hover { text-decoration: underline; }
summary, .actions a, .actions button {
  display: flex;
  align-items: center;
  gap: .5rem;
  min-height: 2.75rem;
  padding: 0 .75rem;
  border: 0;
  border-radius: var(--leaf-small);
  background: none;
  color: inherit;
  font: inherit;
  text-decoration: none;
  white-space: nowrap;
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker { display: none; }
summary:hover, [open] > summary, .actions a:hover, .actions button:hover, [aria-expanded=true] { background: var(--tint); }
summary .icon { width: 1rem; height: 1rem; color: var(--quiet); }
.more > summary { width: 2.75rem; padding: 0; justify-content: center; }
.more > summary .icon { width: 1.375rem; height: 1.375rem; stroke-width: 3; }
.panel {
  position: absolute;
  top: calc(100% + .375rem);
  width: 22rem;
  max-width: calc(100vw - 1rem);
  max-height: calc(100vh - 5rem);
  overflow: auto;
  overscroll-behavior: contain;
  padding: 1.25rem;
  border: 1px solid var(--line);
  border-radius: var(--leaf-small);
  background: var(--sheet);
  box-shadow: 0 1rem 2.5rem -1rem #0006;
}
.about .panel { left: .5rem; display: grid; gap: .75rem; width: 30rem; }
.about h2 { font-size: 1.25rem; font-weight: 500; line-height: 1.3; }
.about .panel p { font-size: 1rem; white-space: pre-line; }
.versions .panel, .actions { right: .5rem; }
.actions { width: auto; padding: .5rem; }
.report a { color: var(--quiet); }
.versions h2 { margin-bottom: .5rem; }
.versions form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .75rem; }
.versions label { flex: 1; }
.versions .field { width: 5.5rem; min-height: 2.75rem; padding: .25rem .625rem; }
.versions .button { min-height: 2.75rem; padding: 0 1rem; font-size: .875rem; }
.versions li { font-variant-numeric: tabular-nums; }
.versions li a {
  display: grid;
  grid-template-columns: auto 1fr auto;
  gap: 0 .5rem;
  padding: .4375rem .625rem;
  border-radius: var(--leaf-small);
  color: inherit;
  text-decoration: none;
}
.versions li a:hover, .versions [aria-current] { background: var(--tint); }
.versions li:has([aria-current])::before { background: var(--accent); }
.versions b { font-weight: 600; }
.versions i { grid-column: 2 / 4; color: var(--accent); font-style: normal; }
.versions time, .versions [title] { grid-row: 2; color: var(--quiet); }
.versions time { grid-column: 1 / 3; }
.versions [title] { text-align: end; }
.versions small { display: block; margin-top: .75rem; font-size: .8125rem; }
.skipped { margin-top: 1.25rem; }
.skipped::after { content: "⋮"; position: absolute; top: -1.375rem; left: 3.375rem; color: var(--quiet); }
.long { display: none; }
.older {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 0 .75rem;
  padding: .5rem .75rem;
  background: var(--tint);
  font-size: .875rem;
}
.older a { font-weight: 600; line-height: 1.5rem; }
.viewer-page > main { position: relative; display: flex; flex: 1; min-height: 0; }
iframe { flex: 1; min-width: 0; width: 100%; height: 100%; border: 0; background: Canvas; }
#context {
  position: absolute;
  inset: 35% 0 0;
  overflow: auto;
  overscroll-behavior: contain;
  padding: 1.25rem;
  border-top: 1px solid var(--line);
  border-radius: 0 1.75rem 0 0;
  background: var(--sheet);
  box-shadow: 0 -1rem 2.5rem -1rem #0006;
}
#context h2 { font-size: 1.25rem; font-weight: 500; }
#context > .quiet { margin: .25rem 2.5rem 1rem 0; font-size: .875rem; }
#context-close {
  position: absolute;
  top: .75rem;
  right: 1rem;
  display: grid;
  place-items: center;
  width: 2.75rem;
  height: 2.75rem;
  border: 0;
  border-radius: var(--leaf-small);
  background: none;
  color: inherit;
  cursor: pointer;
}
#context-close:hover { background: var(--tint); }
#context { scrollbar-gutter: stable; }
#context-state { position: absolute; }
#context-text { font-size: .9375rem; white-space: pre-wrap; unicode-bidi: plaintext; }
@media (max-width: 39.99rem) {
  .viewer-page > header { min-height: 3.5rem; padding: 0 .25rem; }
  .viewer-page .leaf { display: none; }
}
@media (min-width: 40rem) {
  .long { display: inline; }
  .short { display: none; }
  .about { display: flex; align-items: center; gap: .25rem; }
  .about details { min-width: 0; }
  .about summary { min-height: 2.75rem; }
  .about > a { flex: none; max-width: 14rem; min-height: 0; }
}
@media (min-width: 60rem) {
  .versions { position: relative; }
  .versions .panel { right: 0; }
  #context { position: static; flex: none; width: 26rem; border-width: 0 0 0 1px; border-radius: 0; box-shadow: none; }
  #context h2 { padding-right: 2.5rem; }
  #context-close { top: .75rem; right: .75rem; }
  @supports selector(::details-content) {
    .more::details-content { display: contents; content-visibility: visible; }
    .more > summary { display: none; }
    .more .actions { position: static; display: flex; max-width: none; padding: 0; border: 0; box-shadow: none; }
  }
}
@media (forced-colors: active) { .versions [aria-current] { outline: 2px solid Highlight; } }
@media print { .viewer-page > header, .older, #context { display: none; } }
`;
