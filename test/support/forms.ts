import { test } from "vitest";
import { isThorough } from "./thorough.ts";

/** A test of the short form alone, in a file that both forms run: the long one would only repeat it. */
export const shortTest = test.skipIf(process.env.TESTS === "long");

/** A test of the long form alone, in a file that both forms run: an edge of what a test of the short form shows. */
export const longTest = test.runIf(isThorough);
