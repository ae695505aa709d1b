// @module-tag nightly
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { checkPages } from "../../scripts/corpus/page-warnings.ts";
import { publishArtefact } from "../../scripts/corpus/publish.ts";
import { buildAll } from "../../scripts/corpus/run.ts";
import { newAccount } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { longMs } from "../support/patience.ts";

/** A warning about the scan, not about the page. */
const aboutScan = /^The scan for secrets ended early/;

test(
  "the response to a publication has the warnings that the corpus expects for its page",
  async () => {
    const { api } = await newAccount("corpus-warnings");
    const service = { address: baseUrl(), token: api.token ?? "" };
    const ready = artefacts.filter(
      ({ packages, programs }) => packages === undefined && programs === undefined,
    );
    const expected: [string, readonly string[]][] = [];
    const responded: [string, readonly string[]][] = [];

    for (const artefact of await buildAll(ready, () => {})) {
      const [page, ...others] = checkPages(artefact);
      if (page === undefined || others.length > 0) continue;
      const { warnings } = await publishArtefact(artefact, service, ["raw"]);
      expected.push([artefact.name, page.warnings]);
      responded.push([artefact.name, warnings.filter((warning) => !aboutScan.test(warning))]);
    }

    expect(responded.length).toBeGreaterThanOrEqual(40);
    expect(responded.filter(([, warnings]) => warnings.length > 0)).not.toEqual([]);
    expect(responded).toEqual(expected);
  },
  longMs,
);
