import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Another Node (22, 24, or a whole version) from npm, in a folder of its own; returns the folder of its binary. npm's package
 * `node` would need an install script for this; what it installs has none.
 */
export function installNode(wanted) {
  if (!/^\d+(\.\d+)*$/.test(wanted)) throw new Error(`not a version of Node: ${wanted}`);
  const folder = path.resolve('node_modules/.cache', `node-${wanted}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${wanted}`], {
    cwd: folder,
    stdio: 'inherit',
  });
  return path.join(folder, 'node_modules', name, 'bin');
}
