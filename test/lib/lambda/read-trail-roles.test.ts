// @module-tag nightly

import { expect, test } from "vitest";
import { givenStack, resourcesOf } from "../given-stack.ts";
import { statementsOfFunction } from "./function-statements.ts";

/** Returns the handlers of functions with the read trail's variable, and of functions that can add to the trail. */
function trailOf(settings: object) {
  const template = givenStack(settings);
  const functions = Object.entries(resourcesOf(template, "AWS::Lambda::Function"));
  const roles = resourcesOf(template, "AWS::IAM::Role");
  const told = functions.filter(([, { Properties }]) => Properties.Environment?.Variables.READ_TRAIL_DAYS);
  const writers = functions.filter(([, lambda]) =>
    statementsOfFunction(lambda, roles).some((statement) =>
      /PutItem.*"READS#\*"|"READS#\*".*PutItem/.test(JSON.stringify(statement)),
    ),
  );
  const namesOf = (found: typeof functions) =>
    found.map(([, { Properties }]) => String(Properties.Handler).slice("index.".length)).toSorted();
  return {
    told: namesOf(told),
    writers: namesOf(writers),
    days: new Set(told.map(([, { Properties }]) => Properties.Environment.Variables.READ_TRAIL_DAYS)),
  };
}

test("without the setting, no function can add to the read trail or has its variable", () => {
  expect(trailOf({})).toEqual({ told: [], writers: [], days: new Set() });
});

test("with the setting, functions that serve pages can add to it, and those that mention it have its variable", () => {
  const writers = ["readContext", "readFolderFile", "readPdf", "readRawPage", "showComparison"];

  expect(trailOf({ readTrail: true })).toEqual({
    told: [
      "admitReader",
      "listReads",
      "showFeedback",
      "showLibrary",
      "showOwnDrop",
      "viewDrop",
      ...writers,
    ].toSorted(),
    writers,
    days: new Set(["400"]),
  });
  expect(trailOf({ readTrail: true, auditDays: 30 }).days).toEqual(new Set(["30"]));
});
