import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Lists the files that must be beside the code of the function `draw-page`, wherever npm has installed them: the browser and the fonts. */
export function rendererFiles(): readonly { readonly name: string; readonly file: string }[] {
  const archives = join(dirname(resolve("@sparticuz/chromium")), "../bin");
  return [
    ...readdirSync(archives).map((name) => ({ name: `bin/${name}`, file: join(archives, name) })),
    ...fonts.map(([name, file]) => ({
      name: `letters/${file}`,
      file: resolve(`@expo-google-fonts/${name}/400Regular/${file}`),
    })),
  ];
}

/** Fonts in one weight each, because Chromium synthesizes bold. The browser's package contains Latin, Greek, Cyrillic and Hebrew. */
const fonts = [
  ["noto-color-emoji", "NotoColorEmoji_400Regular.ttf"],
  ["noto-sans-arabic", "NotoSansArabic_400Regular.ttf"],
  ["noto-sans-devanagari", "NotoSansDevanagari_400Regular.ttf"],
  // Includes the Japanese kana.
  ["noto-sans-sc", "NotoSansSC_400Regular.ttf"],
  ["noto-sans-thai", "NotoSansThai_400Regular.ttf"],
] as const;
