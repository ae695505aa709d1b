/** The rules of the start page. */
export const homeStyle = `
.home-page { max-width: 74rem; margin: auto; padding: 1.5rem 1rem 4rem; }
.hero { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding: 2.5rem 0 4rem; }
.hero h1 { font-size: clamp(2.25rem, 8vw, 3.25rem); line-height: 1.05; letter-spacing: -.035em; }
.lead { max-width: 34em; font-size: 1.125rem; }
.hero > div { display: grid; gap: 1.5rem; align-content: center; justify-items: start; }
.ask { width: 100%; max-width: 32rem; padding: 1.5rem; border: 1px solid var(--line); border-radius: var(--leaf); background: var(--sheet); }
.ask q { display: block; margin-top: .25rem; font-size: 1.0625rem; font-weight: 600; quotes: none; -webkit-user-select: all; user-select: all; }
.ways { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.5rem; }
.ways a:not(.button) { line-height: 3rem; }
.drawing { display: none; }
.stem, .lines, .new-rib { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; }
.old-sheet { fill: var(--sheet); stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; }
.lines { stroke: var(--line); stroke-width: 4; }
.new-sheet { fill: var(--accent); }
.new-rib { stroke: var(--paper); }
.home-page section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
.home-page section + section { margin-top: 4rem; }
.home-page h2 { font-size: clamp(1.5rem, 5vw, 1.75rem); font-weight: 500; line-height: 1.2; letter-spacing: -.02em; }
.home-page h2 + p { margin-top: .5rem; }
.home-page h3 { margin-bottom: .25rem; }
.human, .agent { display: grid; gap: 1.75rem; }
.agent > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
.home-page .agent.sprig > li { padding-left: 2.5rem; }
.agent.sprig > li::before { top: .25rem; }
pre {
  align-self: start;
  padding: 1rem 1.125rem;
  border: 1px solid var(--line);
  border-radius: var(--leaf-small);
  background: var(--sheet);
}
.agent pre { margin-left: -2.5rem; }
.after { display: grid; gap: .75rem; justify-items: start; max-width: 38em; }
@media (min-width: 60rem) {
  .home-page { padding: 2.5rem 2rem 6rem; }
  .hero { grid-template-columns: minmax(0, 1fr) 20rem; gap: 4rem; padding: 3rem 0 5rem; }
  .drawing { display: block; align-self: center; }
  .home-page section { grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem 3rem; }
  .human { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .agent > li { grid-template-columns: 14rem minmax(0, 1fr); gap: 2rem; }
  .agent pre { margin-left: 0; }
  .after { grid-column: 2; }
}
`;
