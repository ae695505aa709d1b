import { type Resource, resourcesOfType, type Template } from "../template.ts";

/** Thrown for an invocation if the function's concurrency is used up. */
export class TooManyRequestsError extends Error {
  override readonly name = "TooManyRequestsException";

  constructor() {
    super("Rate Exceeded.");
  }
}

/** Concurrency that must remain for functions without a reservation. An account with a lower limit may reserve nothing. */
const unreservedMin = 100;

/**
 * Counts concurrent invocations against reserved concurrency. Functions without a reservation share the rest; see "Understanding Lambda
 * function scaling" and "Configuring reserved concurrency for a function", AWS Lambda developer guide.
 *
 * @throws Error if the template reserves more than Lambda allows
 */
export function createConcurrency(template: Template, accountMax: number) {
  const reserved = new Map(resourcesOfType(template, "AWS::Lambda::Function").flatMap(reservationOf));
  const reservedSum = [...reserved.values()].reduce((sum, { max }) => sum + max, 0);
  const unreserved: Pool = { max: accountMax - reservedSum, used: 0 };
  const leastLeft = Math.min(unreservedMin, accountMax);
  if (reservedSum > 0 && unreserved.max < leastLeft) {
    throw new Error(
      `Lambda would refuse this stack: its functions reserve ${reservedSum} of the account's ${accountMax} concurrent executions, and ${leastLeft} must stay unreserved. Lower ReservedConcurrentExecutions in the template, or raise the account's quota (account.concurrentExecutions).`,
    );
  }
  return {
    /** Reserves one unit of a function's concurrency, and returns a function that releases it. Throws TooManyRequestsError at the limit. */
    enter(functionName: string): () => void {
      const pool = reserved.get(functionName) ?? unreserved;
      if (pool.used >= pool.max) throw new TooManyRequestsError();
      pool.used += 1;
      return () => {
        pool.used -= 1;
      };
    },
  };
}

interface Pool {
  readonly max: number;
  used: number;
}

function reservationOf({ physicalId, properties }: Resource): [string, Pool][] {
  const { ReservedConcurrentExecutions: max } = properties;
  return max === undefined ? [] : [[physicalId, { max: Number(max), used: 0 }]];
}
