import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lockDataDir, runningOwner } from './instance-lock.js';
import { birthOf } from './process-id.js';

describe('the lock of a DATA_DIR', () => {
  let dataDir: string;
  let file: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'checkout-lock-'));
    file = path.join(dataDir, 'instance.pid');
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is held until it is released, and leaves nothing', () => {
    const release = lockDataDir(dataDir);
    expect(runningOwner(dataDir)).toBe(process.pid);
    expect(() => lockDataDir(dataDir)).toThrow(`Another instance (pid ${process.pid}) already uses DATA_DIR`);
    expect(readdirSync(dataDir)).toEqual(['instance.pid']);
    release();
    expect(runningOwner(dataDir)).toBeUndefined();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['nobody', '999999999\nboot/1\n'],
    ['a process that was born at another time', `${process.pid}\nanother-boot/1\n`],
    ['no process at all', 'garbage'],
    ['nothing', ''],
  ])('is taken over from a file that names %s', (_name, text) => {
    writeFileSync(file, text);
    expect(runningOwner(dataDir)).toBeUndefined();
    lockDataDir(dataDir);
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n${birthOf(process.pid)}\n`);
    expect(readdirSync(dataDir)).toEqual(['instance.pid']);
  });
});
