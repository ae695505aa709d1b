import type { Settings } from "./lib/settings.ts";

/**
 * What a deployment has that chooses nothing. Your own choices go into `settings.local.ts` beside this file, which looks
 * the same, takes its place, and is left alone by git; `lib/settings.ts` says what there is to choose.
 */
export const settings: Settings = {};
