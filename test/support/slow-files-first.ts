import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const slow = /@module-tag slow|tags: "slow"|slowAndNightly\(|quickAndSlow\(/;

/** Starts a project's files with slow tests first. Otherwise the last one might run alone at the end. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ofProjects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...ofProjects.values()].flatMap((some) => {
      const isSlow = ({ moduleId }: TestSpecification) => slow.test(readFileSync(moduleId, "utf8"));
      const ofKind = Map.groupBy(some, isSlow);
      return [...(ofKind.get(true) ?? []), ...(ofKind.get(false) ?? [])];
    });
  }
}
