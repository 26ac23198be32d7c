// Relative links and anchors in documents, and paths of this repository named in documents and comments, must exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const TEXT = /\.(md|ts|mjs|cjs|js|lua|sql|yml|yaml)$|^(Dockerfile|\.env\.example)$/;
const ROOTS = ['src', 'test', 'migrations', 'docs', 'bench', 'ops', 'scripts', 'postman', 'packages', 'web'];
/** Written by a build or a run, so not in a fresh checkout. */
const GENERATED = /^(dist|coverage|node_modules|\.data)(\/|$)/;
const NAMED_PATH = new RegExp(`(?<![\\w./@-])(?:${ROOTS.join('|')})/[\\w./{},*-]*[\\w}*]`, 'g');
const LINK = /(?<!!)\[[^\]]*\]\(([^()\s]+)\)/g;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => TEXT.test(file) && existsSync(file));
const problems = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const found = file.endsWith('.md')
    ? [...brokenLinks(file, text), ...missingPaths(text)]
    : missingPaths(comments(text));
  return [...new Set(found)].map((problem) => `${file}: ${problem}`);
});
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

function* brokenLinks(file, text) {
  for (const [, target] of withoutCode(text).matchAll(LINK)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [name, anchor] = target.split('#');
    const linked = name === '' ? file : path.join(path.dirname(file), decodeURIComponent(name));
    if (!existsSync(linked)) yield `links to ${target}, which does not exist`;
    else if (anchor && !statSync(linked).isDirectory() && !anchorsOf(readFileSync(linked, 'utf8')).has(anchor)) {
      yield `links to ${target}, which has no such heading`;
    }
  }
}

/** A path may name a pattern: `src/lock/*.ts`, `src/{lock,saga}`. Then what stands before it must exist. */
function* missingPaths(text) {
  for (const [named] of text.matchAll(NAMED_PATH)) {
    const plain = named.replace(/[^/]*[{*].*$/, '').replace(/\/$/, '');
    const isThere = ['', '.ts', '.md', '.spec.ts'].some((ending) => existsSync(plain + ending));
    if (!GENERATED.test(plain) && !isThere) yield `names ${named}, which does not exist`;
  }
}

/** As GitHub makes them: lower case, without punctuation, spaces as dashes, a number behind the second of a kind. */
function anchorsOf(text) {
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of withoutCode(text).matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function withoutCode(text) {
  return text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '``');
}

function comments(text) {
  return (text.match(/\/\*[^]*?\*\/|(?<![:'"`])\/\/[^\n]*|^\s*--[^\n]*|^\s*#[^\n]*/gm) ?? []).join('\n');
}
