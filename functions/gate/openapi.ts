import type { OperationExamples } from "../core/openapi.ts";

/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "unlock-drop": "A wrong passcode shows the form again, with 403.",
  "close-gate":
    "Called by a form in the viewer of a locked drop. It needs no permission and only affects this browser.",
};

/** Example calls and responses. */
export const examples = () =>
  ({
    "unlock-drop": { body: { passcode: "open sesame" } },
  }) satisfies OperationExamples;
