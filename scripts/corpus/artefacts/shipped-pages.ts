import { type Artefact, artefactsOf } from "../artefact.ts";

/** Pages inside npm packages: manuals, example galleries, templates and tests. On these pages, only the page checks are measured. */
export const shippedPages: readonly Artefact[] = [
  shipped("npm", "11.6.2", "docs", { folder: "docs/output", entry: "using-npm/scripts.html" }),
  shipped("admin-lte", "4.0.0", "site", { folder: "dist" }),
  shipped("jsoneditor", "10.4.3", "demo", { entry: "examples/01_basic_usage.html" }),
  shipped("vis", "4.21.0", "chart", { entry: "docs/index.html" }),
  shipped("owl.carousel", "2.3.4", "demo", { folder: "docs" }),
  shipped("startbootstrap-sb-admin-2", "4.1.4", "site"),
  shipped("material-dashboard", "3.1.0", "site"),
  shipped("gentelella", "1.4.0", "site", { entry: "production/index.html" }),
  shipped("html5-boilerplate", "9.0.1", "site", { folder: "dist" }),
  shipped("mathjax", "2.7.9", "demo", { entry: "test/index.html" }),
  shipped("tracking", "1.1.3", "demo", { entry: "examples/face_hello_world.html" }),
  shipped("leaflet.markercluster", "1.5.3", "demo", { entry: "example/marker-clustering.html" }),
  shipped("hammerjs", "2.0.8", "demo", { entry: "tests/unit/index.html" }),
  shipped("dygraphs", "2.2.2", "chart", { folder: "_site" }),
  shipped("webslides", "1.5.0", "slides"),
  shipped("parsleyjs", "2.9.2", "report", { folder: "coverage/lcov-report" }),
].flat();

/** Creates an artefact that is an unchanged copy of a package, or of one of its folders. */
function shipped(
  name: string,
  version: string,
  kind: Artefact["kind"],
  { folder = "", ...more }: { readonly folder?: string; readonly entry?: string } = {},
): Artefact[] {
  const beside = { [`${name}@${version}`]: { "": folder } };
  return artefactsOf(kind, { [`${name.replace(".", "-")}-pages`]: { beside, ...more } });
}
