import { CfnOutput, type Stack } from "aws-cdk-lib/core";
import { type OutputKey, type OutputValues, outputDescriptions, outputNames } from "./output-names.ts";

/** Adds every output that has a value. The API's own URL is not an output, because callers would bypass the edge. */
export function addOutputs(
  stack: Stack,
  values: { readonly [key in OutputKey]: OutputValues[key] | number },
): void {
  for (const key of Object.keys(outputNames) as OutputKey[]) {
    const value = values[key];
    if (value !== undefined)
      new CfnOutput(stack, outputNames[key], { description: outputDescriptions[key], value: String(value) });
  }
}
