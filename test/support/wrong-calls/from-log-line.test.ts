import { expect, test } from "vitest";
import { caseFromLogLine } from "./from-log-line.ts";

test.each([
  [
    '{"level":"info","operation":"publish-version","requestId":"1","status":400,"code":"html_required","durationMs":1}',
    'refused("…", "PUT /api/drops/{slug}", { json: {} }, [400, "html_required"], /…/),',
  ],
  [
    '[local_publish-drop] {"level":"info","operation":"publish-drop","requestId":"1","status":201,"durationMs":1}',
    'warned("…", "POST /api/drops", { json: {} }, 201, /…/),',
  ],
  [
    "GET localhost:8787/api/stats 404 2 ms local_answer-not-found error",
    'refused("…", "GET /api/stats", { json: {} }, [404, "…"], /…/),',
  ],
])("a line of the log becomes a case: %s", (line, written) => {
  expect(caseFromLogLine(line)).toBe(written);
});

test.each(["", "Dropleaf is ready at http://localhost:8787", '{"operation":"janitor","status":200}'])(
  "a line of no request is refused: %j",
  (line) => {
    expect(() => caseFromLogLine(line)).toThrow("names no request");
  },
);
