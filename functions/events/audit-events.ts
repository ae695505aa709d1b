import { collectFromChanges, type TableChange, type TableListener } from "../background/table-change.ts";
import { presentAuditLine } from "../table/audit-presenter.ts";
import { toAuditLine } from "../table/audit-trail.ts";
import { isAuditKey } from "../table/keys.ts";
import { type AuditEvent, auditEventKind } from "./event.ts";
import { sendToBus } from "./event-bus.ts";

/** Sends each new audit entry to the bus. With `auditEvents` off, the stream's filter passes no entries; see lib/lambda/workers.ts. */
export const auditListener: TableListener = {
  feature: "audit-events",
  onTableChange(changes) {
    const lines = collectFromChanges("audit-events", changes, readAuditEvent);
    if (lines.length === 0) return [];
    const sources = lines.map(({ change }) => change);
    return [{ sources, run: () => sendToBus(lines.map(({ found }) => found)) }];
  },
};

function readAuditEvent({ eventName, key, after }: TableChange): AuditEvent | undefined {
  if (eventName !== "INSERT" || after === undefined || !isAuditKey(key)) return undefined;
  const line = toAuditLine(after);
  return { kind: auditEventKind, atMs: line.act.atMs, line: presentAuditLine(line) };
}
