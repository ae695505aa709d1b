/** The rules of the pages with one subject on one sheet. */
export const sheetStyle = `
.sheet-page { display: grid; min-height: 100vh; min-height: 100dvh; padding: 1.5rem 1rem; }
.sheet-page main { width: 100%; max-width: 34rem; margin: auto; }
.brand { margin: 0 0 1rem .125rem; }
.sheet {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  padding: clamp(1.5rem, 7vw, 3.25rem);
  border: 1px solid var(--line);
  border-radius: var(--leaf);
  background: var(--sheet);
}
.sheet h1 { font-size: clamp(1.875rem, 7vw, 2.5rem); }
.sheet section { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; padding-top: .5rem; }
.sheet .button { width: 100%; }
.small { font-size: .875rem; }
.emblem { fill: var(--tint); stroke: var(--accent); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.emblem .missing { fill: none; stroke-dasharray: 3.5 4; }
.emblem .sign { fill: none; stroke-width: 2.5; }
.comparison {
  padding: 1.5rem .75rem 1.125rem;
  border-radius: var(--leaf-small);
  background: var(--tint);
  text-align: center;
}
.comparison p + p { margin-top: .875rem; font-weight: 600; text-wrap: balance; }
.code {
  font: 600 clamp(1.75rem, 10vw, 2.875rem)/1 var(--code);
  letter-spacing: .06em;
  white-space: nowrap;
}
.claim { overflow: hidden; padding: .125rem 0 .125rem 1rem; border-left: 2px solid var(--sprout); }
.claim strong { display: block; font-size: 1.125rem; font-weight: 600; line-height: 1.4; }
.points { display: grid; gap: .375rem; }
.points li { position: relative; padding-left: 1.5rem; }
.points li::before {
  content: "";
  position: absolute;
  top: .5em;
  left: .125rem;
  width: .625rem;
  height: .625rem;
  border-radius: 0 55%;
  background: var(--sprout);
}
.decision { display: grid; gap: .75rem; padding-top: .25rem; }
/* A click that was begun on another window must not end here: the button takes clicks only when the pointer has been
   near it, or the page been there, for a moment. Keys are not affected. */
@keyframes arm { from { pointer-events: none; opacity: .6; } to { pointer-events: auto; opacity: 1; } }
.arming { pointer-events: none; }
@media (hover: hover) { .decision:hover .arming { animation: arm .8s step-end forwards; } }
@media (hover: none) { .arming { animation: arm 1.2s step-end forwards; } }
.rest-of-code { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem; align-items: center; }
.facts { display: grid; gap: .875rem; }
.facts div { overflow: hidden; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { font-size: 1.125rem; }
.calls { padding: .75rem 1rem; border-radius: var(--leaf-small); background: var(--paper); font-size: .8125rem; }
#token { padding: 1.125rem 1rem; background: var(--tint); font-size: 1.0625rem; font-weight: 600; }
.copyable { display: grid; gap: .5rem; justify-items: start; }
.copyable pre { width: 100%; -webkit-user-select: all; user-select: all; }
.sheet .copyable .button { width: auto; min-width: 9rem; }
.sheet form { display: grid; gap: .5rem; }
.sheet form .button { margin-top: .5rem; }
.sheet label { font-weight: 600; }
.code-field { font: 1.25rem/1.4 var(--code); letter-spacing: .08em; text-transform: uppercase; }
.notice { padding: .875rem 1rem; border-radius: var(--leaf-small); background: var(--tint); }
`;
