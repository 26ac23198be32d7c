import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ARCHIVES = path.join(import.meta.dirname, 'release');

export interface PreviousRelease {
  readonly version: string;
  /** The program, on the packages of this repository. */
  readonly main: string;
  /** Its own Postman collection: what it promised to its clients. */
  readonly stories: string;
  remove(): void;
}

/** The release before this one, as scripts/pack-release.mjs has kept it. */
export function unpackPreviousRelease(): PreviousRelease {
  const [archive, ...others] = readdirSync(ARCHIVES);
  if (archive === undefined || others.length > 0) throw new Error(`${ARCHIVES} must hold one release, the one before`);
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-release-'));
  execFileSync('tar', ['-xzf', path.join(ARCHIVES, archive), '-C', directory]);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  return {
    version: path.basename(archive, '.tgz'),
    main: path.join(directory, 'dist/src/main.js'),
    stories: path.join(directory, 'postman/checkout-saga.postman_collection.json'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
