const noFile = "the package does not ship the file";
const unrendered = "the page is a source file of a site generator";

/**
 * Real mistakes in the corpus's pages, judged by hand. Each mistake is a pattern of the page's path, followed by the correct warning, and the
 * reason why the warning is correct.
 */
const mistakes: Readonly<Record<string, readonly (readonly [pattern: RegExp, reason: string])[]>> = {
  "vis-pages": [
    [/no file at "favicon\.ico"/, noFile],
    [/no file at "default\.css"/, noFile],
    [/no file at "[./]*googleAnalytics\.js"/, noFile],
  ],
  "owl-carousel-pages": [
    [/no file at "[./]*assets\/ico\//, noFile],
    [/no file of the folder: "\/OwlCarousel2\//, "the manual's links work only on GitHub"],
  ],
  "mathjax-pages": [[/no file at "BADURL"/, "the page refers to a picture that does not exist"]],
  "leaflet-markercluster-pages": [[/no file at "\.\.\/node_modules\//, noFile]],
  "hammerjs-pages": [[/no file at "[./]+\/node_modules\//, noFile]],
  "dygraphs-pages": [
    [
      /no file of the folder: "\/\d\.\d\.\d\//,
      "the links lead to older versions, which the package does not ship",
    ],
  ],
  "webslides-pages": [[/^error\.html: .*no file at "static\/css\/base\.css"/, noFile]],
  "gentelella-pages": [
    [/no file at "images\/img\.jpg"/, noFile],
    [/^production\/map\.html: .*no file at "css\//, noFile],
    [/no file at "moment(?:\.min)?\.js"/, noFile],
    [/no file at "[./]+\/bower_components\//, noFile],
    [/no file at "[./]+\/node_modules\//, noFile],
    [/no file at "styles\/demo_style\.css"/, noFile],
    [/no file at "bundle\.js"/, noFile],
    [/no file at "\.\.\/shared\/jquery-ui\//, noFile],
    [/"\/apple-touch-icon-57x57\.png"/, noFile],
    [/template syntax .*site\.baseurl/, unrendered],
    [/^vendors\/bootstrap-datetimepicker\/docs\/theme\/.*template syntax/, unrendered],
  ],
  "swagger-ui": [[/no file at "\.\/favicon-16x16\.png"/, "the file was not copied"]],
  impress: [[/no file at "apple-touch-icon\.png"/, "the file was not copied"]],
  starlight: [[/"\/favicon\.svg"/, "the site has no such icon"]],
  hexo: [[/"\/favicon\.png"/, "the site has no such icon"]],
};

/** Correct warnings about the corpus's pages. All other warnings are false. */
export const realMistakes = Object.entries(mistakes).flatMap(([artefact, patterns]) =>
  patterns.map(([pattern]) => ({ artefact, pattern })),
);
