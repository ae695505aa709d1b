import type { Artefact } from "../artefact.ts";
import { libraryPage } from "./library-page.ts";

const copyApi = ["cp openapi.yaml out/"];

/** API references made by browser builds of libraries, which load a document beside the page. */
export const apis: readonly Artefact[] = [
  {
    name: "swagger-ui",
    kind: "docs",
    ready: { "swagger-ui-dist": "5.35.0" },
    samples: ["api"],
    copies: Object.fromEntries(
      [
        "swagger-ui.css",
        "index.css",
        "swagger-ui-bundle.js",
        "swagger-ui-standalone-preset.js",
        "index.html",
        "swagger-initializer.js",
        "favicon-32x32.png",
      ].map((file) => [`out/${file}`, `swagger-ui-dist/${file}`]),
    ),
    run: [
      ...copyApi,
      `sed -i 's#https://petstore.swagger.io/v2/swagger.json#openapi.yaml#' out/swagger-initializer.js`,
    ],
    click: ".opblock-summary-control",
    isLight: true,
  },
  libraryPage({
    name: "redoc-library",
    kind: "docs",
    ready: { redoc: "3.0.1" },
    beside: { "redoc.js": "redoc/bundles/redoc.standalone.js" },
    samples: ["api"],
    run: copyApi,
    body: '<redoc spec-url="openapi.yaml"></redoc><script type="module" src="redoc.js"></script>',
  }),
  libraryPage({
    name: "scalar",
    kind: "docs",
    ready: { "@scalar/api-reference": "1.76.0" },
    beside: {
      "scalar.js": "@scalar/api-reference/dist/browser/standalone.js",
      chunks: "@scalar/api-reference/dist/browser/chunks",
    },
    samples: ["api"],
    run: [...copyApi, "find out -name *.map -delete"],
    body: `<div id="app"></div><script src="scalar.js"></script><script>Scalar.createApiReference("#app", { url: "openapi.yaml" });</script>`,
  }),
  libraryPage({
    name: "rapidoc",
    kind: "docs",
    ready: { rapidoc: "9.3.8" },
    beside: { "rapidoc-min.js": "rapidoc/dist/rapidoc-min.js" },
    samples: ["api"],
    run: copyApi,
    head: '<script type="module" src="rapidoc-min.js"></script>',
    body: '<rapi-doc spec-url="openapi.yaml" load-fonts="false"></rapi-doc>',
  }),
  libraryPage({
    name: "stoplight-elements",
    kind: "docs",
    ready: { "@stoplight/elements": "9.0.25" },
    beside: {
      "elements.js": "@stoplight/elements/web-components.min.js",
      "elements.css": "@stoplight/elements/styles.min.css",
    },
    samples: ["api"],
    run: copyApi,
    head: '<script src="elements.js"></script><link rel="stylesheet" href="elements.css">',
    body: '<elements-api apiDescriptionUrl="openapi.yaml" router="hash" layout="sidebar"></elements-api>',
  }),
  libraryPage({
    name: "asyncapi-react",
    kind: "docs",
    ready: { "@asyncapi/react-component": "3.2.1" },
    beside: {
      "asyncapi.js": "@asyncapi/react-component/browser/standalone/index.js",
      "asyncapi.css": "@asyncapi/react-component/styles/default.min.css",
    },
    samples: ["api"],
    run: ["cp asyncapi.yaml out/"],
    head: '<link rel="stylesheet" href="asyncapi.css">',
    body: `<div id="asyncapi"></div><script src="asyncapi.js"></script><script>fetch("asyncapi.yaml").then((response) => response.text()).then((schema) => AsyncApiStandalone.render({ schema, config: { show: { sidebar: true } } }, asyncapi));</script>`,
  }),
  libraryPage({
    name: "graphql-voyager",
    kind: "docs",
    ready: { "graphql-voyager": "2.1.0" },
    beside: {
      "voyager.js": "graphql-voyager/dist/voyager.standalone.js",
      "voyager.css": "graphql-voyager/dist/voyager.css",
    },
    samples: ["api"],
    run: ["cp schema.graphql out/"],
    head: '<link rel="stylesheet" href="voyager.css"><style>body{margin:0;height:100vh}#voyager{height:100%}</style>',
    body: `<div id="voyager"></div><script src="voyager.js"></script><script>fetch("schema.graphql").then((response) => response.text()).then((text) => GraphQLVoyager.renderVoyager(voyager, { introspection: GraphQLVoyager.sdlToSchema(text) }));</script>`,
  }),
];
