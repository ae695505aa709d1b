import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { storeToken } from "../../packages/cli/src/service/token-store.ts";
import { setEnvironment } from "../command-line/programs.ts";
import { runInProcess } from "../command-line/run-in-process.ts";
import { newAccount, pageOf } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-accounts-"));
const restore = setEnvironment({ DROPLEAF_CONFIG_DIR: folder, DROPLEAF_KEYCHAIN: "off" });
afterAll(() => {
  restore();
  rmSync(folder, { recursive: true });
});

async function result(...args: readonly string[]) {
  const { exitCode, out, notes } = await runInProcess([...args, "--json"]);
  expect(exitCode, `${args.join(" ")}: ${out} ${notes}`).toBe(0);
  return JSON.parse(out);
}

test("a person publishes for themselves and for a team, with a separate token for each", async () => {
  const ada = await newAccount("ada");
  const team = unusedUsername("growth");
  await ada.api.succeed("create-team", { body: { namespace: team } });
  const own = (await ada.api.succeed("get-me")).account.namespace;
  await storeToken(baseUrl(), own, ada.api.token ?? "");
  await storeToken(baseUrl(), team, (await teamToken(ada.username, team)).token ?? "");
  const page = join(folder, "page.html");
  writeFileSync(page, pageOf("one"));

  expect((await result("publish", page, "--new")).url).toContain(`//${team}.`);
  expect((await result("publish", page, "--new", "--as", own)).url).toContain(`//${own}.`);
  expect(await result("switch")).toMatchObject({ accounts: [own, team].toSorted(), current: team });
  expect(await result("switch", own)).toMatchObject({ account: own });
  expect((await result("publish", page, "--new")).url).toContain(`//${own}.`);

  const unknown = await runInProcess(["list", "--as", "nobody"]);
  expect(unknown).toMatchObject({ exitCode: 3 });
  expect(unknown.notes).toContain(`as nobody, only as ${[own, team].join(", ")}.`);
  expect((await runInProcess(["switch", "nobody"])).exitCode).toBe(3);

  await result("logout", "--as", team);
  expect(await result("switch")).toMatchObject({ accounts: [own], current: own });
  expect((await runInProcess(["list", "--as", team])).exitCode).toBe(3);
});
