import { afterAll } from "vitest";

/**
 * The process's environment before a file's tests. Files share a process, so one that sets variables must not affect
 * the next.
 */
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
