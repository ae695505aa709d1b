/** A real mistake in a page of the corpus. A warning about this mistake is correct. */
interface RealMistake {
  readonly artefact: string;
  /** Pattern of the page's path, followed by the warning. */
  readonly pattern: RegExp;
  readonly reason: string;
}

const noFile = "the package does not ship the file";
const unrendered = "the page is a source file of a site generator";

/** Correct warnings about the corpus's pages, judged by hand. All other warnings count as false. */
export const realMistakes: readonly RealMistake[] = [
  { artefact: "vis-pages", pattern: /no file at "favicon\.ico"/, reason: noFile },
  { artefact: "vis-pages", pattern: /no file at "default\.css"/, reason: noFile },
  { artefact: "vis-pages", pattern: /no file at "[./]*googleAnalytics\.js"/, reason: noFile },
  { artefact: "owl-carousel-pages", pattern: /no file at "[./]*assets\/ico\//, reason: noFile },
  {
    artefact: "owl-carousel-pages",
    pattern: /no file of the folder: "\/OwlCarousel2\//,
    reason: "the manual's links work only on GitHub",
  },
  {
    artefact: "mathjax-pages",
    pattern: /no file at "BADURL"/,
    reason: "the page refers to a picture that does not exist",
  },
  { artefact: "leaflet-markercluster-pages", pattern: /no file at "\.\.\/node_modules\//, reason: noFile },
  { artefact: "hammerjs-pages", pattern: /no file at "[./]+\/node_modules\//, reason: noFile },
  {
    artefact: "dygraphs-pages",
    pattern: /no file of the folder: "\/\d\.\d\.\d\//,
    reason: "the links lead to older versions, which the package does not ship",
  },
  {
    artefact: "webslides-pages",
    pattern: /^error\.html: .*no file at "static\/css\/base\.css"/,
    reason: noFile,
  },
  { artefact: "gentelella-pages", pattern: /no file at "images\/img\.jpg"/, reason: noFile },
  { artefact: "gentelella-pages", pattern: /^production\/map\.html: .*no file at "css\//, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "moment(?:\.min)?\.js"/, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "[./]+\/bower_components\//, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "[./]+\/node_modules\//, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "styles\/demo_style\.css"/, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "bundle\.js"/, reason: noFile },
  { artefact: "gentelella-pages", pattern: /no file at "\.\.\/shared\/jquery-ui\//, reason: noFile },
  { artefact: "gentelella-pages", pattern: /"\/apple-touch-icon-57x57\.png"/, reason: noFile },
  { artefact: "gentelella-pages", pattern: /template syntax .*site\.baseurl/, reason: unrendered },
  {
    artefact: "gentelella-pages",
    pattern: /^vendors\/bootstrap-datetimepicker\/docs\/theme\/.*template syntax/,
    reason: unrendered,
  },
  {
    artefact: "swagger-ui",
    pattern: /no file at "\.\/favicon-16x16\.png"/,
    reason: "the file was not copied",
  },
  { artefact: "impress", pattern: /no file at "apple-touch-icon\.png"/, reason: "the file was not copied" },
  { artefact: "starlight", pattern: /"\/favicon\.svg"/, reason: "the site has no such icon" },
  { artefact: "hexo", pattern: /"\/favicon\.png"/, reason: "the site has no such icon" },
];
