import { afterAll } from "vitest";

/** Variables of the process before a file's tests. Files of a project share a process, and one that sets some must not change the next. */
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
