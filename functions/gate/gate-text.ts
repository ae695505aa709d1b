import { limits } from "../core/limits.ts";

const passcodeDays = limits.passcodeCookieSeconds / 86_400;

/** Duration in words, rounded up. */
function waitOf(minutes: number): string {
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Texts of the passcode gate. */
export const gateText = {
  gate: {
    title: "Locked page",
    wait: (minutes: number) =>
      `Too many attempts. This passcode was not checked. Wait ${waitOf(minutes)}, until`,
    remembered: `This browser remembers the passcode for ${passcodeDays} days.`,
  },
} as const;
