import { artefactsOf } from "../artefact.ts";

const copyApi = ["cp openapi.yaml out/"];

/** API references, rendered by libraries' browser builds from an API document in the page's folder. */
export const apis = artefactsOf("docs", {
  "swagger-ui": {
    beside: {
      "swagger-ui-dist@5.35.0": [
        "swagger-ui.css",
        "index.css",
        "swagger-ui-bundle.js",
        "swagger-ui-standalone-preset.js",
        "index.html",
        "swagger-initializer.js",
        "favicon-32x32.png",
      ],
    },
    samples: ["api"],
    run: [
      ...copyApi,
      `sed -i 's#https://petstore.swagger.io/v2/swagger.json#openapi.yaml#' out/swagger-initializer.js`,
    ],
    click: ".opblock-summary-control",
    isLight: true,
  },
  "redoc-library": {
    beside: { "redoc@3.0.1": { "redoc.js": "bundles/redoc.standalone.js" } },
    samples: ["api"],
    run: copyApi,
    body: '<redoc spec-url="openapi.yaml"></redoc><script type="module" src="redoc.js"></script>',
  },
  scalar: {
    beside: {
      "@scalar/api-reference@1.76.0": {
        "scalar.js": "dist/browser/standalone.js",
        chunks: "dist/browser/chunks",
      },
    },
    samples: ["api"],
    run: [...copyApi, "find out -name *.map -delete"],
    body: `<div id="app"></div><script src="scalar.js"></script><script>Scalar.createApiReference("#app", { url: "openapi.yaml" });</script>`,
  },
  rapidoc: {
    beside: { "rapidoc@9.3.8": { "rapidoc-min.js": "dist/rapidoc-min.js" } },
    samples: ["api"],
    run: copyApi,
    head: '<script type="module" src="rapidoc-min.js"></script>',
    body: '<rapi-doc spec-url="openapi.yaml" load-fonts="false"></rapi-doc>',
  },
  "stoplight-elements": {
    beside: {
      "@stoplight/elements@9.0.25": {
        "elements.js": "web-components.min.js",
        "elements.css": "styles.min.css",
      },
    },
    samples: ["api"],
    run: copyApi,
    head: '<script src="elements.js"></script><link rel="stylesheet" href="elements.css">',
    body: '<elements-api apiDescriptionUrl="openapi.yaml" router="hash" layout="sidebar"></elements-api>',
  },
  "asyncapi-react": {
    beside: {
      "@asyncapi/react-component@3.2.1": {
        "asyncapi.js": "browser/standalone/index.js",
        "asyncapi.css": "styles/default.min.css",
      },
    },
    samples: ["api"],
    run: ["cp asyncapi.yaml out/"],
    head: '<link rel="stylesheet" href="asyncapi.css">',
    body: `<div id="asyncapi"></div><script src="asyncapi.js"></script><script>fetch("asyncapi.yaml").then((response) => response.text()).then((schema) => AsyncApiStandalone.render({ schema, config: { show: { sidebar: true } } }, asyncapi));</script>`,
  },
  "graphql-voyager": {
    beside: {
      "graphql-voyager@2.1.0": {
        "voyager.js": "dist/voyager.standalone.js",
        "voyager.css": "dist/voyager.css",
      },
    },
    samples: ["api"],
    run: ["cp schema.graphql out/"],
    head: '<link rel="stylesheet" href="voyager.css"><style>body{margin:0;height:100vh}#voyager{height:100%}</style>',
    body: `<div id="voyager"></div><script src="voyager.js"></script><script>fetch("schema.graphql").then((response) => response.text()).then((text) => GraphQLVoyager.renderVoyager(voyager, { introspection: GraphQLVoyager.sdlToSchema(text) }));</script>`,
  },
});
