import * as z from "zod/mini";
import { type DescribedProblem, Problem } from "../problem.ts";
import { Client } from "../service/client.ts";
import { count, unixMs } from "../service/fields.ts";
import { findServiceAddress, type ServiceOption } from "../service/select-service.ts";
import { readServices, servicesFilePath } from "../service/services-file.ts";
import { findToken } from "../service/token-store.ts";
import { type Output, styled, writeResult } from "../terminal/output.ts";

type Finding = { readonly check: string; readonly ok: boolean; readonly message: string };

/** Error whose JSON output contains the findings. */
class FoundProblems extends Problem {
  readonly #findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[]) {
    super(message);
    this.#findings = findings;
  }

  override describe(): DescribedProblem {
    return { ...super.describe(), details: { findings: this.#findings } };
  }
}

const meSchema = z.object({
  drop_count: count,
  token: z.object({ expires_at: z.optional(unixMs), scope: z.optional(z.string()) }),
});

const clockSecondsMax = 300;
const expiryWarningDays = 14;

/** Reports problems between this machine and a service, each with advice. */
export async function doctor({ service }: ServiceOption, output: Output): Promise<void> {
  const address = await findServiceAddress(service);
  const findings: Finding[] = [];
  const add = (check: string, ok: boolean, message: string) => findings.push({ check, ok, message });
  add("program", true, `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`);
  const known = Object.keys((await readServices()).services);
  const choice = "; --service <address> selects one, dropleaf login makes it the default";
  if (known.length > 1) add("services", true, `${known.join(", ")}${choice}`);
  if (address === undefined)
    add("service", false, "No service is known. To sign in, run: dropleaf login <address>");
  else findings.push(...(await checkService(address)));
  const lines = findings.map(({ check, ok, message }) => [
    ok ? styled("green", "ok     ") : styled("red", "problem"),
    `  ${check}: ${message}`,
  ]);
  const isWell = findings.every(({ ok }) => ok);
  if (isWell || !output.isJson) writeResult(output, { findings }, lines);
  if (!isWell) throw new FoundProblems("There are problems. The lines above say what to do.", findings);
}

async function checkService(address: string): Promise<Finding[]> {
  const anonymous = new Client(address);
  const reached = await attempt("service", async () => {
    const { headers } = await anonymous.call("/openapi.json", z.object({ openapi: z.string() }));
    return { message: `${address} answers`, atMs: Date.parse(headers.get("date") ?? "") };
  });
  if (!reached.ok) return [reached];
  return [reached, checkClock(reached.atMs), await checkToken(address)];
}

function checkClock(serviceMs: number | undefined): Finding {
  if (serviceMs === undefined || Number.isNaN(serviceMs))
    return { check: "clock", ok: true, message: "unknown, because the service sends no time" };
  const seconds = Math.round((Date.now() - serviceMs) / 1000);
  const ok = Math.abs(seconds) <= clockSecondsMax;
  const message = ok
    ? "agrees with the service"
    : `this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service: set its clock`;
  return { check: "clock", ok, message };
}

function checkToken(address: string): Promise<Finding> {
  return attempt("token", async () => {
    const given = process.env.DROPLEAF_TOKEN;
    const token = given ?? (await findToken(address));
    if (token === undefined)
      throw new Problem(`none for this service. To sign in, run: dropleaf login ${address}`);
    const { result } = await new Client(address, token).call("/api/me", meSchema);
    const { expires_at: expiresAtMs, scope } = result.token;
    const place = given === undefined ? `in the keychain or ${servicesFilePath()}` : "in DROPLEAF_TOKEN";
    const may = scope === "read" || scope === "publish" ? `, scope ${scope}` : "";
    return { message: `good${describeEnd(expiresAtMs)}${may}, ${place}; ${result.drop_count} drops` };
  });
}

function describeEnd(expiresAtMs: number | undefined): string {
  if (expiresAtMs === undefined) return "";
  const days = Math.floor((expiresAtMs - Date.now()) / 86_400_000);
  return days > expiryWarningDays ? ` for ${days} days` : ` for only ${days} days: sign in again soon`;
}

async function attempt(
  check: string,
  run: () => Promise<{ readonly message: string; readonly atMs?: number }>,
): Promise<Finding & { readonly atMs?: number }> {
  try {
    return { check, ok: true, ...(await run()) };
  } catch (error) {
    if (error instanceof Problem) return { check, ok: false, message: error.message };
    throw error;
  }
}
