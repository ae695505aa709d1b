/** The rules of the reference page, over those of Swagger UI: the same colours, one accent, room on a phone. */
export const referenceStyle = `
html, html.dark-mode { background: var(--paper); }
.reference-page { max-width: 74rem; margin: auto; padding: 1.5rem 1rem 4rem; }
.reference-page > header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; }
.reference-page nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
.reference-page h1 { margin: 2rem 0 .5rem; font-size: clamp(1.75rem, 6vw, 2.5rem); }
.reference-page .brand { color: inherit; text-decoration: none; }
#reference { margin-top: 1.5rem; }
#reference .swagger-ui, #reference .swagger-ui :is(.info .title, .opblock-tag, .btn, select, th, td, label, p, h4, h5) { color: var(--ink); font-family: var(--text); }
#reference .swagger-ui :is(.wrapper, .info hgroup + *) { max-width: none; padding: 0; }
#reference .swagger-ui .info { margin: 0 0 1.5rem; }
#reference .swagger-ui .info hgroup { display: none; }
#reference .swagger-ui .scheme-container { margin: 0 0 1.5rem; padding: 1rem 0; background: none; box-shadow: none; }
#reference .swagger-ui :is(a, .info a) { color: var(--accent); }
#reference .swagger-ui .opblock-tag { border-color: var(--line); }
#reference .swagger-ui .opblock-tag small { color: var(--quiet); }
#reference .swagger-ui .opblock { border-color: var(--line); border-radius: var(--leaf-small); background: var(--sheet); box-shadow: none; }
#reference .swagger-ui .opblock .opblock-summary { border-color: var(--line); }
#reference .swagger-ui .opblock .opblock-summary-method { border-radius: var(--leaf-small); background: var(--accent); color: var(--on-accent); text-shadow: none; }
#reference .swagger-ui .opblock .opblock-section-header { background: var(--tint); box-shadow: none; }
#reference .swagger-ui :is(.opblock-summary-path, .opblock-summary-description) { color: var(--ink); overflow-wrap: anywhere; }
#reference .swagger-ui :is(.parameter__in, .parameter__type, .header-col, .response-control-media-type__accept-message, .headers td, .parameter__name.required span) { color: var(--quiet); }
#reference .swagger-ui :is(.btn.authorize, .btn.execute, .tab li.active h4 span::after) { border-color: var(--accent); }
#reference .swagger-ui .btn.authorize { color: var(--accent); }
#reference .swagger-ui .btn.authorize svg { fill: var(--accent); }
#reference .swagger-ui .btn.execute { background: var(--accent); color: var(--on-accent); }
#reference .swagger-ui .tab li.active h4 span::after { background: var(--accent); }
#reference .swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--tint); color: var(--ink); }
#reference .swagger-ui .microlight span[style*="211, 99, 99"] { color: #ffa3a3 !important; }
#reference .swagger-ui .opblock-summary-path a { display: inline-block; min-width: 1.5rem; min-height: 1.5rem; }
#reference .swagger-ui table { display: block; overflow-x: auto; }
@media (max-width: 40rem) {
  #reference .swagger-ui :is(.opblock .opblock-summary, .opblock-tag) { flex-wrap: wrap; }
  #reference .swagger-ui :is(.response-col_links, .col_header.response-col_links) { display: none; }
}
`;
