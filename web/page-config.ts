import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, UserConfig } from 'vite';

/** What is not text is compressed already; what is shorter than a packet gains nothing. */
const COMPRESSED = /\.(js|css|html|svg)$/;
const MIN_BYTES = 1_000;

/** How Vite builds a page that the service serves at `/<name>`: into dist/web/<name>, compressed beforehand. */
export function pageConfig(name: string, folder: string): UserConfig {
  return {
    root: folder,
    base: `/${name}/`,
    plugins: [compress()],
    build: {
      outDir: path.resolve(folder, '../../dist/web', name),
      emptyOutDir: true,
      target: 'es2022',
      // The page's policy allows images from `data:`, but a file is cached, and read only where it is shown.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      reportCompressedSize: false,
      rolldownOptions: {
        // Libraries mark what is for browsers, where all of this goes; a slow machine is no news.
        checks: { bundlerTimings: false },
        onLog: (level, log, next) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
        },
      },
    },
    // `npm run dev -w web/<name>`: the API is that of a service which runs beside it.
    server: {
      proxy: Object.fromEntries(['/v1', '/health', '/metrics', `/${name}/config.json`].map((at) => [at, API])),
    },
  };
}

const API = 'http://127.0.0.1:3000';

/** Writes a .br and a .gz beside each file, as the service sends them. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => COMPRESSED.test(file))) {
        const file = path.join(dir, name);
        const content = readFileSync(file);
        if (content.length < MIN_BYTES) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
