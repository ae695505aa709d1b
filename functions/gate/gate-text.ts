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
    heading: "This page is locked",
    lead: "Ask the person who sent you the link for the passcode.",
    label: "Passcode",
    submit: "Open",
    wrong: "Wrong passcode. Check it and try again.",
    inAddress: "A passcode in a link is ignored. Enter it here, and share the link without it.",
    show: "Show what I type",
    wait: (minutes: number) =>
      `Too many attempts. This passcode was not checked. Wait ${waitOf(minutes)}, until`,
    again: "You can try again now.",
    remembered: `This browser remembers the passcode for ${passcodeDays} days.`,
  },

  reload: {
    title: "Locked page",
    heading: "Please reload the whole page",
    lead: "The page is locked and can’t be opened inside this frame. Reload it in your browser to enter the passcode.",
  },
} as const;
