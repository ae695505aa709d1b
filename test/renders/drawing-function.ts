import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startExecutionEnvironment } from "@dropleaf/local-cloud/lambda/execution-environment";
import type { Drawing, DrawRequest } from "../../functions/renders/report.ts";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { drawPageSource } from "../../lib/bundle/function-source.ts";

/** The URL of these tests' pages. */
export const pageUrl = "http://kim.dropleaf.test/p/quarterly/raw";

/** The headers that `rawPage` sends to the viewer's frame. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "frame-ancestors 'self'; base-uri 'none'; form-action 'self' https:; sandbox allow-scripts allow-forms allow-modals allow-downloads",
  "referrer-policy": "no-referrer",
};

/** The deployed function in an environment of the local cloud. */
export interface DrawingFunction {
  /** The uploaded folder. */
  readonly directory: string;
  draw(html: string, more?: Partial<DrawRequest>): Promise<Drawing>;
  /** Ends the environment, even during an invocation. */
  end(): Promise<void>;
}

/** Starts the function with additional environment variables. */
export async function startDrawingFunction(
  variables: Readonly<Record<string, string>> = {},
): Promise<DrawingFunction> {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-bundle-"));
  const { directory: bundles } = await bundleFunctions([drawPageSource], folder);
  const directory = join(bundles, drawPageSource.id);
  const environment = startExecutionEnvironment(
    {
      name: "draw-page",
      arn: "arn:aws:lambda:us-east-1:000000000000:function:draw-page",
      modulePath: join(directory, "index.mjs"),
      exportName: drawPageSource.exportName,
      // Long enough for a busy machine; the function has its own time limit.
      timeoutSeconds: 120,
      memoryMegabytes: 2_048,
      isTenantIsolated: true,
      isDebugged: false,
      internet: undefined,
      clockOffsetSeconds: 0,
      environment: {
        AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
        AWS_SECRET_ACCESS_KEY: "of-the-role",
        ...variables,
      },
    },
    () => undefined,
  );
  return {
    directory,
    async draw(html, more) {
      const page = Buffer.from(html).toString("base64");
      const event: DrawRequest = { extent: "report", page, url: pageUrl, headers, files: [], ...more };
      const { payload, isError } = await environment.invoke(JSON.stringify(event), "a-request");
      if (isError) throw new Error(payload);
      return JSON.parse(payload);
    },
    async end() {
      await environment.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
