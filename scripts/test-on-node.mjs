// npm run test:node -- 24 [what npm test takes]: the suite on another Node, which npm brings (22, 24, or a whole version).
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { installNode } from './install-node.mjs';

const [version = '', ...args] = process.argv.slice(2);
const bin = installNode(version);
const found = execFileSync(path.join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
console.log(`on Node ${found}, from ${bin}`);
// Everything that is started finds it: npm's scripts by PATH, the processes of the tests because they start themselves.
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
process.exit(spawnSync('npm', ['test', '--', ...args], { env, stdio: 'inherit' }).status ?? 1);
