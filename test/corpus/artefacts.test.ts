import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { shippedPages } from "../../scripts/corpus/artefacts/shipped-pages.ts";

test("at least 60 artefacts need only Node.js and npm, and all package versions are exact", () => {
  const byNpm = artefacts.filter(({ programs }) => programs === undefined);
  const versions = [...artefacts, ...shippedPages].flatMap(({ packages = {}, ready = {} }) =>
    Object.values({ ...packages, ...ready }),
  );

  expect(byNpm.length).toBeGreaterThanOrEqual(60);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("each artefact has a unique name, valid for a host and a folder", () => {
  const names = [...artefacts, ...shippedPages].map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
});

test("a dozen artefacts are ready-made files of packages, without installation or build", () => {
  const light = artefacts.filter(({ isLight }) => isLight);

  expect(light).toHaveLength(12);
  expect(light.filter(({ packages, programs }) => packages ?? programs)).toEqual([]);
});
