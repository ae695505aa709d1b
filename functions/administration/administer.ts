import { setTimeout as sleep } from "node:timers/promises";
import { repeatDelaySeconds } from "../background/invalidation.ts";
import { invokedWorker } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { Act } from "../table/audit.ts";
import { findAccountRow, isBanned } from "./accounts.ts";
import type { LongAction, LongActionEvent } from "./long-action.ts";
import { banIdentity, suspendAccount, unsuspendAccount } from "./suspension.ts";
import { findTakedown, forget, takeDown } from "./takedown.ts";

/** Worker for administrators' long-running actions. Each has the same effect as the operator's command of the same name. */
export const administer = invokedWorker("administer", async (event) => {
  const { asked, act } = event as LongActionEvent;
  try {
    await carryOut(asked, act);
  } catch (error) {
    // Retries only server errors. A client error means, for example, that the account no longer exists or that the page
    // was put on hold in the meantime.
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
  }
});

async function carryOut(asked: LongAction, act: Act): Promise<void> {
  const buckets = {
    blobsBucket: readEnvironment(environmentNames.blobsBucket),
    pagesBucket: readEnvironment(environmentNames.pagesBucket),
  };
  const requestMsMax = repeatDelaySeconds() * 1000;
  const options = { ...buckets, requestMsMax };
  if (asked.kind === "takedown") {
    const takedown = await findTakedown(buckets, asked.target);
    if (takedown === undefined) return;
    await takeDown(buckets, takedown, act);
    // Invalidates a second time, because a request that began before the takedown may have cached its response after the first
    // invalidation.
    await sleep(requestMsMax);
    return forget(takedown);
  }
  const account = await findAccountRow(asked.userId);
  if (account === undefined) return;
  if (asked.kind === "unsuspend") {
    // Does nothing if the account is no longer suspended, for example because the form was sent twice, or if the person is banned.
    if (!account.isSuspended || (await isBanned(account))) return;
    return unsuspendAccount(account, act, options);
  }
  // Bans the person first, so that a concurrent sign-in finds the ban or the suspension.
  if (asked.kind === "ban") await banIdentity(account, act);
  await suspendAccount(account, { ...act, action: "suspend" }, options);
}
