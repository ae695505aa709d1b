import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { edgeFunction, origin, startEdgeFixture } from "../../packages/local-cloud/test/edge-fixture.ts";
import { uncachedBehavior } from "../../packages/local-cloud/test/fixture-stack.ts";

const edgeLanguageModule = createRequire(import.meta.url).resolve("../../lib/edge/edge-language.ts");

it.each([
  ["function handler({ request }) { return request; }", /line 1, column 18: .*destructuring/],
  ["function handler(e) { return e?.request; }", /optional chaining/],
  ["function handler(e) { return new Map([[1, e.request]]).get(1); }", /'Map' is not defined/],
  ["function handler(e) {", /Unexpected token/],
])("a distribution with %s answers 503 to everything, as CloudFront does", async (code, reason) => {
  const { resources, association } = edgeFunction("viewer-request", code);
  const fixture = await startEdgeFixture(
    {
      DefaultCacheBehavior: uncachedBehavior("a", { FunctionAssociations: [association] }),
      Origins: [origin("a")],
    },
    () => ({ body: "ok" }),
    resources,
    { edgeLanguageModule },
  );

  const responses = [await fixture.send("/"), await fixture.send("/p/aB3dE5f")];
  await fixture.stop();

  expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  expect(fixture.requests).toEqual([]);
  expect(fixture.logged.join("\n")).toMatch(reason);
});
