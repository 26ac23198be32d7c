import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PostmanCollection } from './collection.js';
import { play } from './play.js';

/** `npm run test:postman`: the collection of the repository, as somebody who imports it would run it. */
const file = path.resolve(import.meta.dirname, '../../postman/checkout-saga.postman_collection.json');
const collection = JSON.parse(readFileSync(file, 'utf8')) as PostmanCollection;
const { summary, violations } = await play(collection);
const { stats, failures, timings } = summary.run;

for (const { error, source, parent } of failures) {
  console.error(`FAILED ${parent?.name ?? ''} / ${source?.name ?? ''}: ${error.name}: ${error.message}`);
}
for (const violation of violations) console.error(`NOT AS DESCRIBED ${violation}`);
const seconds = ((timings.completed - timings.started) / 1_000).toFixed(1);
console.log(
  `${collection.item.length} stories, ${stats.requests.total} requests (${stats.requests.failed} failed), ` +
    `${stats.assertions.total} assertions (${stats.assertions.failed} failed), ` +
    `${violations.length} answers that Prism found not as described, ${seconds} s`,
);
process.exitCode = failures.length > 0 || violations.length > 0 || stats.assertions.total === 0 ? 1 : 0;
