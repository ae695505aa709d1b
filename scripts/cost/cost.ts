/** `npm run cost` estimates the monthly cost of given traffic in dollars, based on the calls that the benchmark measured. */
import { runCost } from "./report.ts";

try {
  runCost(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
