import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../project-directory.ts";

const packages = join(projectDirectory, "node_modules");

/**
 * Files beside the code of the drawing function: the packed browser, fonts, and Playwright, which finds its files relative to its
 * code and so is not bundled. These are the used ones of its 12 MB.
 */
export function browserFiles(): readonly { readonly name: string; readonly file: string }[] {
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

/** One weight of each font: Chromium synthesizes bold. The package of the browser has Latin, Greek, Cyrillic and Hebrew. */
const fonts = [
  ["noto-color-emoji", "NotoColorEmoji_400Regular.ttf"],
  ["noto-sans-arabic", "NotoSansArabic_400Regular.ttf"],
  ["noto-sans-devanagari", "NotoSansDevanagari_400Regular.ttf"],
  // Includes the kana of Japanese.
  ["noto-sans-sc", "NotoSansSC_400Regular.ttf"],
  ["noto-sans-thai", "NotoSansThai_400Regular.ttf"],
] as const;
