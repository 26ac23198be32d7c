import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError } from '../config/app-config.js';
import { explainFolder, firstClosedFolder } from './folder-access.js';

const STRANGER = { uid: 54_321, gid: 54_321 };

describe('a folder that cannot be used', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'checkout-folder-')));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const failure = (code: string, file: string) => Object.assign(new Error(code), { code, path: file });
  const owner = process.getuid?.() ?? 0;

  it('is named with its owner and mode, also if what was wanted is not there yet', () => {
    const error = explainFolder(path.join(folder, 'a'), failure('EACCES', path.join(folder, 'a/b')));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toBe(
      `DATA_DIR ${folder}/a cannot be used: uid ${owner} may not use ${folder} (owner uid ${owner}, mode 0755); choose another DATA_DIR`,
    );
  });

  it('is not blamed for what has another reason or another place', () => {
    for (const error of [failure('EIO', folder), failure('EACCES', '/elsewhere'), new Error('no'), 'no'])
      expect(explainFolder(folder, error)).toBe(error);
  });

  it('is found on the way to the one that is wanted', () => {
    const inner = path.join(folder, 'closed/open');
    mkdirSync(inner, { recursive: true });
    expect(firstClosedFolder(inner, STRANGER)).toBeUndefined();
    chmodSync(path.join(folder, 'closed'), 0o700);
    expect(firstClosedFolder(inner, STRANGER)).toBe(`${folder}/closed (owner uid ${owner}, mode 0700)`);
    expect(firstClosedFolder(inner, { uid: owner, gid: 0 })).toBeUndefined();
  });
});
