import { defaultAccountLimits } from "@dropleaf/local-cloud/account-limits";
import { describe, expect, it } from "vitest";
import { parseLocalSettings } from "../../local/local-settings.ts";

describe("local settings", () => {
  const defaults = {
    port: 8787,
    dataDirectory: ".dropleaf",
    settingsFile: undefined,
    account: defaultAccountLimits,
    environmentsPerFunction: 2,
    clockOffsetSeconds: 0,
    isDebugged: false,
  };

  it("have defaults, also for empty variables", () => {
    expect(parseLocalSettings({})).toEqual(defaults);
    expect(parseLocalSettings({ PORT: "", DATA_DIR: "", SETTINGS: "", DEBUG: "" })).toEqual(defaults);
  });

  it("are read from PORT, DATA_DIR and SETTINGS", () => {
    const given = { PORT: "9000", DATA_DIR: "/d", SETTINGS: "mine.ts" };

    expect(parseLocalSettings(given)).toEqual({
      ...defaults,
      port: 9000,
      dataDirectory: "/d",
      settingsFile: { file: "mine.ts", by: "SETTINGS" },
    });
  });

  it.each([
    ["1", true],
    // Values of DEBUG for other programs.
    ["*", false],
    ["express:*", false],
  ])("enable a debugger only for DEBUG=1: %s", (DEBUG, isDebugged) => {
    expect(parseLocalSettings({ DEBUG })).toEqual({ ...defaults, isDebugged });
  });

  it.each(["abc", "80", "65535", "-1", "1e4", "8787.5"])("refuse PORT=%s with the right usage", (PORT) => {
    expect(() => parseLocalSettings({ PORT })).toThrow(
      `PORT must be a whole number from 1024 to 65534, not "${PORT}".`,
    );
  });

  it("move the clock by whole seconds", () => {
    const given = { DROPLEAF_CLOCK_OFFSET_SECONDS: "691200" };

    expect(parseLocalSettings(given)).toEqual({ ...defaults, clockOffsetSeconds: 691_200 });
  });

  it.each(["-1", "8d", "1.5", "315360001"])(
    "refuse to move the clock by %s, with the right usage",
    (given) => {
      expect(() => parseLocalSettings({ DROPLEAF_CLOCK_OFFSET_SECONDS: given })).toThrow(
        `DROPLEAF_CLOCK_OFFSET_SECONDS must be a whole number from 0 to 315360000, not "${given}".`,
      );
    },
  );
});
