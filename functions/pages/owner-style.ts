/** The rules of an owner's page: who it is at the side, and a sprig with a leaf for every page. */
export const ownerStyle = `
.owner-page { max-width: 68rem; margin: auto; padding: 1.5rem 1rem 3rem; }
.owner-page h1 { font-size: clamp(2rem, 8vw, 3rem); }
.owner { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; align-content: start; margin-bottom: 2.5rem; }
.owner .leaf { width: 2.5rem; height: 2.5rem; }
.finder { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; margin-top: .75rem; }
.finder p { grid-column: 1 / -1; min-height: 1.6em; }
.owner-page section + section { margin-top: 3rem; }
.owner-page h2 { margin: 0 0 .25rem .125rem; }
.shelf > li {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 1rem;
  padding: .5625rem .5rem .5625rem 2.75rem;
}
.shelf > li:hover { border-radius: var(--leaf-small); background: var(--sheet); }
.shelf a { flex: 1 1 18rem; color: inherit; font-size: 1.0625rem; text-align: -webkit-match-parent; text-align: match-parent; text-decoration: none; }
.shelf a::after { content: ""; position: absolute; inset: 0; }
.shelf a:hover { text-decoration: underline; }
.shelf small, .shelf span { color: var(--quiet); font-size: .875rem; }
.shelf span:last-child { min-width: 9rem; }
.shelf > .locked::before { border: 2px solid var(--sprout); background: var(--paper); }
.owner-page main { min-height: 40vh; }
.empty { display: grid; gap: .75rem; justify-items: start; max-width: 26rem; }
.empty h2 { margin: 0; font-size: 1.375rem; font-weight: 500; }
.emblem { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linecap: round; }
.emblem .missing { stroke-dasharray: 3.5 4; }
.owner-page nav { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; }
.owner-page nav a { display: flex; align-items: center; min-height: 2.75rem; font-weight: 600; }
.owner-page footer { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem; margin-top: 3rem; font-size: .875rem; }
.owner-page footer > a { display: flex; align-items: center; min-height: 2.75rem; color: inherit; }
@media (min-width: 60rem) {
  .owner-page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 5rem; padding: 4.5rem 2rem; }
  .owner { position: sticky; top: 3rem; grid-row: 1 / 3; align-self: start; }
  .owner-page h1 { font-size: 2.5rem; }
  .finder { grid-template-columns: minmax(0, 1fr); }
  .shelf span:last-child { text-align: end; }
}
@media (prefers-reduced-motion: no-preference) {
  .shelf > li::before { transition: scale .15s; transform-origin: 100% 100%; }
  .shelf > li:nth-child(even)::before { transform-origin: 0 100%; }
  .shelf > li:hover::before { scale: 1.3; }
}
@media (scripting: none) { .finder { display: none; } }
@media print { .finder { display: none; } .owner { position: static; } }
`;
