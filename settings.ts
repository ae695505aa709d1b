import type { Settings } from "./lib/settings.ts";

/** This deployment's choices; `lib/settings.ts` says what there is to choose. `npx cdk deploy` reads them. */
export const settings: Settings = {};
