import type { Settings } from "./lib/settings.ts";

/**
 * Settings of a deployment without any choice. Your own go into `settings.local.ts` beside this file. It has the same
 * form, replaces this file, and is ignored by git; `lib/settings.ts` lists all settings.
 */
export const settings: Settings = {};
