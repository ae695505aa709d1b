import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../project-directory.ts";
import type { FunctionFile } from "./function-files.ts";

const packages = join(projectDirectory, "node_modules");

/**
 * What the function with the browser has beside its code: the browser, packed, the letters that its own font has not, and
 * what drives it. Playwright looks for its own files from where its code lies, so it stays as it is; of its 12 MB these
 * are what runs.
 */
export function browserFiles(): readonly FunctionFile[] {
  const browser = readdirSync(join(packages, "@sparticuz/chromium/bin"));
  return [
    ...browser.map((name) => ({
      name: `bin/${name}`,
      file: join(packages, "@sparticuz/chromium/bin", name),
    })),
    ...fonts.map(([name, file]) => ({
      name: `letters/${file}`,
      file: join(packages, "@expo-google-fonts", name, "400Regular", file),
    })),
    ...playwrightFiles.map((name) => ({
      name: `node_modules/playwright-core/${name}`,
      file: join(packages, "playwright-core", name),
    })),
  ];
}

const playwrightFiles = [
  "LICENSE",
  "NOTICE",
  "browsers.json",
  "index.js",
  "index.mjs",
  "package.json",
  "lib/bootstrap.js",
  "lib/coreBundle.js",
  "lib/package.js",
  "lib/serverRegistry.js",
  "lib/utilsBundle.js",
];

/** One weight each: Chromium makes the bold of it. The package of the browser has Latin, Greek, Cyrillic and Hebrew. */
const fonts = [
  ["noto-color-emoji", "NotoColorEmoji_400Regular.ttf"],
  ["noto-sans-arabic", "NotoSansArabic_400Regular.ttf"],
  ["noto-sans-devanagari", "NotoSansDevanagari_400Regular.ttf"],
  // With the kana of Japanese.
  ["noto-sans-sc", "NotoSansSC_400Regular.ttf"],
  ["noto-sans-thai", "NotoSansThai_400Regular.ttf"],
] as const;
