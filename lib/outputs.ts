import { CfnOutput, type Stack } from "aws-cdk-lib/core";
import { type OutputKey, type OutputValues, outputDescriptions, outputNames } from "./output-names.ts";

/** Adds every output with a value. The API's own address is left out: it would invite callers past the edge. */
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
