import { test } from "vitest";
import { hasShortForm, isThorough } from "./thorough.ts";

/** A test of the short form alone, in a file that both forms run: the long one would only repeat it. A run that has both has it. */
export const shortTest = test.runIf(hasShortForm);

/** A test of the long form alone, in a file that both forms run: an edge of what a test of the short form shows. */
export const longTest = test.runIf(isThorough);
