// npm run size: what the client adds to a page, minified and compressed.
import { build } from 'esbuild';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const ENTRY = path.resolve(import.meta.dirname, '../dist/public-api.js');

/** Bytes of a bundle of the named exports. */
async function sizeOf(exports) {
  const contents = `export { ${exports} } from ${JSON.stringify(ENTRY)};`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  const { contents: code } = outputFiles[0];
  return { minified: code.length, gzip: gzipSync(code, { level: 9 }).length, brotli: brotliCompressSync(code).length };
}

for (const exports of ['createClient, verifyWebhook', 'createStorefront', 'verifyWebhook']) {
  const { minified, gzip, brotli } = await sizeOf(exports);
  console.log(`${exports}: ${minified} bytes minified, ${gzip} gzip, ${brotli} brotli`);
}
