import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { FunctionOptions } from "../src/lambda/lambda-function.ts";
import { createLambdaService, type LambdaService, payloadBytesMax } from "../src/lambda/lambda-service.ts";
import { loadTemplate } from "../src/template.ts";
import { lambdaResources, writeStack } from "./fixture-stack.ts";

let cleanUp: (() => Promise<void>) | undefined;
afterEach(() => cleanUp?.());

/** Starts a service with one function `F`. `logged` collects the lines of its log. */
async function startFunction(
  code: string,
  properties: Record<string, unknown> = {},
  maxEnvironments = 8,
  concurrentExecutions = 1_000,
  options: FunctionOptions = {},
) {
  const stack = writeStack(lambdaResources("F", properties), { F: code });
  const logged: string[] = [];
  const service = createLambdaService({
    template: loadTemplate(stack.directory),
    readSecret: (id) => `secret of ${id}`,
    awsEndpointUrl: "http://127.0.0.1:1",
    credentialsFor: (roleArn) => ({ accessKeyId: `key of ${roleArn}`, secretAccessKey: "s" }),
    log: (line) => logged.push(line),
    limits: { maxEnvironments, idleMs: 60_000 },
    concurrentExecutions,
    ...options,
  });
  cleanUp = async () => {
    await service.stop();
    stack.remove();
  };
  return { service, logged };
}

async function call(service: LambdaService, event: unknown = {}) {
  const { payload, isFunctionError } = await service.invoke("F", JSON.stringify(event));
  return { result: JSON.parse(payload), isFunctionError };
}

describe("a function (Lambda developer guide, Building Lambda functions with Node.js)", () => {
  it("gets the event and its context", async () => {
    const { service } = await startFunction(
      "export const handler = async (event, context) => ({ event, name: context.functionName, left: context.getRemainingTimeInMillis() });",
      { Timeout: 7 },
    );

    const { result } = await call(service, { a: 1 });

    expect(result).toMatchObject({ event: { a: 1 }, name: "F" });
    expect(result.left).toBeGreaterThan(6_000);
    expect(result.left).toBeLessThanOrEqual(7_000);
  });

  it("waits for code that is bundled at the first call, and returns the bundler's error", async () => {
    let calls = 0;
    const prepareCode = async (directory: string) => {
      calls += 1;
      if (calls === 1) throw new Error("handler.ts:3:7: Expected identifier");
      writeFileSync(join(directory, "index.mjs"), "export const handler = async () => 'made';");
    };
    const { service, logged } = await startFunction("", {}, 8, 1_000, { prepareCode });

    const failed = await call(service);
    const [first, second] = await Promise.all([call(service), call(service)]);

    expect(failed.isFunctionError).toBe(true);
    expect(failed.result.errorMessage).toBe("handler.ts:3:7: Expected identifier");
    expect(logged).toEqual(["[F] failed to start: handler.ts:3:7: Expected identifier"]);
    expect([first.result, second.result, calls]).toEqual(["made", "made", 2]);
  });

  it("is initialized again within the function's timeout if its init takes ten seconds", {
    tags: "nightly",
  }, async () => {
    const code = `import { existsSync, writeFileSync } from "node:fs";
      const begun = new URL("./begun", import.meta.url);
      const isFirst = !existsSync(begun);
      writeFileSync(begun, "");
      if (isFirst) await new Promise(() => setInterval(() => {}, 1_000));
      export const handler = async (event, context) => context.getRemainingTimeInMillis();`;
    const { service, logged } = await startFunction(code, { Timeout: 20 });

    const { result, isFunctionError } = await call(service);

    expect(isFunctionError).toBe(false);
    // The time of the second init counts as part of the invocation.
    expect(result).toBeLessThan(20_000);
    expect(logged).toEqual([
      "[F] init did not end within 10 seconds. It starts again, within the function's timeout",
    ]);
  });

  it("times out if the second init does not end either", { tags: "nightly" }, async () => {
    const code =
      "await new Promise(() => setInterval(() => {}, 1_000)); export const handler = async () => 1;";
    const { service } = await startFunction(code, { Timeout: 1 });

    const { result, isFunctionError } = await call(service);

    expect(isFunctionError).toBe(true);
    expect(result.errorMessage).toMatch(/Task timed out after 1\.00 seconds$/);
  });

  it("has the environment variables of the template and of Lambda, and not the host's", async () => {
    process.env.HOST_SECRET = "visible to this process";
    const { service } = await startFunction("export const handler = async () => process.env;", {
      MemorySize: 256,
      LoggingConfig: { LogGroup: "shared" },
      Environment: { Variables: { TABLE: { Ref: "F" }, ORIGIN: "{{resolve:secretsmanager:origin}}" } },
    });

    const { result } = await call(service);

    expect(result).toMatchObject({
      TABLE: "F",
      ORIGIN: "secret of origin",
      AWS_LAMBDA_FUNCTION_NAME: "F",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
      AWS_REGION: "us-east-1",
      _HANDLER: "index.handler",
      AWS_LAMBDA_LOG_GROUP_NAME: "shared",
      AWS_ENDPOINT_URL: "http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "key of arn:aws:iam::000000000000:role/FRole",
    });
    expect(result).not.toHaveProperty("HOST_SECRET");
    expect(result).not.toHaveProperty("PATH");
    // This variable names the local cloud's own folder of compiled code.
    expect(result).not.toHaveProperty("NODE_COMPILE_CACHE");
  });

  it("stays warm between requests", async () => {
    const { service } = await startFunction("let calls = 0; export const handler = async () => ++calls;");

    await call(service);

    expect((await call(service)).result).toBe(2);
  });

  it("handles one request per environment; requests above the limit of environments wait", async () => {
    const { service } = await startFunction(
      `import { threadId } from "node:worker_threads";
       let running = 0;
       export const handler = async () => {
         running += 1;
         const together = running;
         await new Promise((resolve) => setTimeout(resolve, 50));
         running -= 1;
         return { together, threadId };
       };`,
      {},
      2,
    );

    const responses = await Promise.all(Array.from({ length: 6 }, () => call(service)));

    expect(responses.map(({ result }) => result.together)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(new Set(responses.map(({ result }) => result.threadId)).size).toBe(2);
  });

  it("prints each line to the log, with the function's name", async () => {
    const { service, logged } = await startFunction(
      'export const handler = async () => { console.log("one\\ntwo"); console.error("three"); };',
    );

    await call(service);

    await expect.poll(() => [...logged].sort()).toEqual(["[F] one", "[F] three", "[F] two"]);
  });
});

describe("a failing function (Lambda developer guide, Using Lambda function exceptions)", () => {
  it("that throws returns type, message and trace", async () => {
    const { service } = await startFunction(
      'export const handler = async () => { throw new TypeError("no"); };',
    );

    const { result, isFunctionError } = await call(service);

    expect(isFunctionError).toBe(true);
    expect(result).toMatchObject({ errorType: "TypeError", errorMessage: "no" });
    expect(result.trace[0]).toBe("TypeError: no");
  });

  it("that runs too long is ended, and the next request gets a new environment", {
    tags: "slow",
  }, async () => {
    const { service } = await startFunction(
      "let calls = 0; export const handler = async (event) => { calls += 1; while (event.loop) {} return calls; };",
      { Timeout: 1 },
    );
    await call(service);

    const late = await call(service, { loop: true });
    const next = await call(service);

    expect(late.isFunctionError).toBe(true);
    expect(late.result.errorMessage).toMatch(/Task timed out after 1\.00 seconds$/);
    expect(next).toEqual({ result: 1, isFunctionError: false });
  });

  it("that throws during import returns the error each time", async () => {
    const { service, logged } = await startFunction('throw new Error("bad start");');

    const responses = [await call(service), await call(service)];

    for (const { result, isFunctionError } of responses) {
      expect(isFunctionError).toBe(true);
      expect(result.errorMessage).toBe("bad start");
    }
    expect(logged.join("\n")).toContain("[F] failed to start: Error: bad start");
  });

  it("that does not export its handler returns Runtime.HandlerNotFound", async () => {
    const { service } = await startFunction("export const other = 1;");

    const { result } = await call(service);

    expect(result).toMatchObject({ errorType: "Runtime.HandlerNotFound" });
  });

  it("that exits its process does not affect later requests", async () => {
    const { service } = await startFunction(
      "export const handler = async (event) => { if (event.exit) process.exit(3); return 1; };",
    );

    const ended = await call(service, { exit: true });

    expect(ended.result).toMatchObject({ errorType: "Runtime.ExitError" });
    expect((await call(service)).result).toBe(1);
  });

  it("that exceeds its memory is ended", { tags: "slow" }, async () => {
    const { service } = await startFunction(
      "export const handler = async () => { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); };",
      { MemorySize: 128, Timeout: 30 },
    );

    const { result, isFunctionError } = await call(service);

    expect(isFunctionError).toBe(true);
    expect(result.errorType).toBe("Runtime.ExitError");
  });

  it("returns an error for a value that JSON cannot represent", async () => {
    const { service } = await startFunction("export const handler = async () => ({ n: 1n });");

    expect((await call(service)).result).toMatchObject({ errorType: "Runtime.MarshalError" });
  });
});

describe("payload limits (Lambda developer guide, Lambda quotas)", () => {
  it("an event of 6,291,456 bytes is accepted, and one byte more is refused before the function runs", async () => {
    const { service } = await startFunction("export const handler = async (event) => event.length;");
    const largest = JSON.stringify("x".repeat(payloadBytesMax - 2));

    expect((await service.invoke("F", largest)).payload).toBe(String(payloadBytesMax - 2));
    await expect(service.invoke("F", `${largest} `)).rejects.toThrow("must be smaller than 6291456 bytes");
  });

  it("a response above 6,291,456 bytes is a function error", async () => {
    const { service } = await startFunction('export const handler = async (bytes) => "x".repeat(bytes - 2);');

    expect((await call(service, payloadBytesMax)).isFunctionError).toBe(false);
    const tooLarge = await call(service, payloadBytesMax + 1);

    expect(tooLarge.isFunctionError).toBe(true);
    expect(tooLarge.result.errorType).toBe("Function.ResponseSizeTooLarge");
  });
});

describe("concurrency (Lambda developer guide, Understanding Lambda function scaling)", () => {
  const slow =
    "export const handler = async () => { await new Promise((done) => setTimeout(done, 100)); return 1; };";
  const reserving = (max: number) => ({ ReservedConcurrentExecutions: max });
  const outcomes = async (service: LambdaService, calls: number) => {
    const ended = await Promise.allSettled(Array.from({ length: calls }, () => call(service)));
    return ended.map((one) => (one.status === "fulfilled" ? "done" : (one.reason as Error).name)).sort();
  };
  const throttled = "TooManyRequestsException";

  it("above the account's limit is throttled immediately, and available again when a function is done", async () => {
    const { service } = await startFunction(slow, {}, 1, 2);

    expect(await outcomes(service, 4)).toEqual([throttled, throttled, "done", "done"]);
    expect(await outcomes(service, 2)).toEqual(["done", "done"]);
  });

  it("reserved by a function is also its maximum", async () => {
    const { service } = await startFunction(slow, reserving(1));

    expect(await outcomes(service, 2)).toEqual([throttled, "done"]);
  });

  it("reserved by functions must leave 100 unreserved, or all of a smaller account", async () => {
    await expect(startFunction(slow, reserving(11), 8, 110)).rejects.toThrow(
      "its functions reserve 11 of the account's 110 concurrent executions, and 100 must stay unreserved",
    );
    await expect(startFunction(slow, reserving(1), 8, 10)).rejects.toThrow("and 10 must stay unreserved");
    await startFunction(slow, reserving(10), 8, 110);
  });
});

describe("a function of another runtime", () => {
  it("is not emulated, which is logged", async () => {
    const { service, logged } = await startFunction("", { Runtime: "python3.13" });

    expect(service.functionNames).toEqual([]);
    expect(logged).toEqual(["The function F is not emulated: its runtime is python3.13"]);
  });
});

describe("a child process of a function", () => {
  const startsOne = `import { spawn } from "node:child_process";
    export const handler = async ({ hangs }) => {
      const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
      console.log("child " + child.pid);
      if (hangs) await new Promise(() => {});
      return child.pid;
    };`;
  // A child stays as a zombie if the thread that started it has ended. A zombie is not alive.
  const isAlive = (pid: number) => {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return stdout.trim() !== "" && !stdout.startsWith("Z");
  };

  it("does not outlive the function's timeout", { tags: "slow" }, async () => {
    const { service, logged } = await startFunction(startsOne, { Timeout: 1 });

    const { isFunctionError } = await call(service, { hangs: true });

    const pid = Number(/child (\d+)/.exec(logged.join("\n"))?.[1]);
    expect([isFunctionError, pid > 0]).toEqual([true, true]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("lives as long as its environment, and does not outlive the local cloud", async () => {
    const { service } = await startFunction(startsOne);
    const { result: pid } = await call(service);

    expect(isAlive(pid)).toBe(true);
    await service.stop();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe("a stop of the functions", () => {
  it("ends a running request after its time limit", async () => {
    const { service } = await startFunction("export const handler = () => new Promise(() => {});", {
      Timeout: 600,
    });
    const running = call(service);

    service.endAfter(100);
    await service.stop();

    expect((await running).isFunctionError).toBe(true);
  });

  it("waits for the running request", async () => {
    const { service } = await startFunction(
      'export const handler = async () => { await new Promise((resolve) => setTimeout(resolve, 150)); return "done"; };',
    );

    const running = call(service);
    await service.stop();

    expect(await running).toEqual({ result: "done", isFunctionError: false });
  });
});

describe("a function with tenant isolation (Lambda developer guide, Tenant isolation)", () => {
  const whoami = `let calls = 0;
    const id = crypto.randomUUID();
    export const handler = async ({ waitMs = 0 }) => {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return { id, calls: ++calls };
    };`;
  const isolated = { TenancyConfig: { TenantIsolationMode: "PER_TENANT" } };
  const callAs = async (service: LambdaService, tenantId: string | undefined, event: object = {}) =>
    JSON.parse((await service.invoke("F", JSON.stringify(event), tenantId)).payload);

  it("has separate environments for each tenant, which stay warm for this tenant", async () => {
    const { service } = await startFunction(whoami, isolated);

    const [a, b, again] = [
      await callAs(service, "a"),
      await callAs(service, "b"),
      await callAs(service, "a"),
    ];

    expect(again).toEqual({ id: a.id, calls: 2 });
    expect(b.id).not.toBe(a.id);
  });

  it("ends another tenant's idle environment at the limit, and does not reuse a busy one", async () => {
    const { service } = await startFunction(whoami, isolated, 1);

    const a = await callAs(service, "a");
    const [b, c, moreOfC] = await Promise.all([
      callAs(service, "b", { waitMs: 30 }),
      callAs(service, "c"),
      callAs(service, "c"),
    ]);

    expect(new Set([a.id, b.id, c.id]).size).toBe(3);
    expect(moreOfC).toEqual({ id: c.id, calls: 2 });
  });

  it("is not invoked without a tenant, and another function is not invoked with one", async () => {
    const { service } = await startFunction(whoami, isolated);

    await expect(callAs(service, undefined)).rejects.toThrow("needs a tenant ID");
    await cleanUp?.();
    const { service: other } = await startFunction(whoami);
    await expect(callAs(other, "a")).rejects.toThrow("must not have a tenant ID");
  });
});
