import { stat } from "node:fs/promises";
import { join } from "node:path";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { functionSources } from "../../lib/bundle/function-source.ts";
import { createTemporaryDirectory } from "../../test/support/temporary-directory.ts";
import type { Section } from "./section.ts";

/** Functions that docs/benchmarks.md shows. */
const shown =
  "publish-drop publish-version get-drop list-drops view-drop read-raw-page show-owner-page call-mcp janitor render-page";

/** Measures the size of each function's minified bundle, as deployed. */
export const bundlesSection: Section = {
  name: "bundles",
  minutes: 1,
  async measure() {
    const target = join(createTemporaryDirectory(), "functions");
    const { directory } = await bundleFunctions(functionSources, target);
    const data = await Promise.all(
      functionSources.map(async ({ id }) => {
        const { size } = await stat(join(directory, id, "index.mjs"));
        return { function: id, kilobytes: Math.round(size / 1024) };
      }),
    );
    const tableOf = (listed: typeof data) => ({
      columns: ":function | KB",
      rows: listed.map(({ function: id, kilobytes }) => [id, String(kilobytes)]),
    });
    const some = data.filter((one) => shown.split(" ").includes(one.function));
    return { table: tableOf(data), shown: tableOf(some), data };
  },
};
