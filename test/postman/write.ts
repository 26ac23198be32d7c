import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toCollection, toEnvironment } from './collection.js';
import { play } from './play.js';
import { STORIES } from './stories.js';

/** `npm run postman`: builds the collection from its stories, with the answers of a real run as examples. */
const directory = path.resolve(import.meta.dirname, '../../postman');
const { summary, answers } = await play(toCollection(STORIES, new Map()));
for (const { error, source } of summary.run.failures) console.error(`FAILED ${source?.name ?? ''}: ${error.message}`);
if (summary.run.failures.length > 0) process.exit(1);

mkdirSync(directory, { recursive: true });
const write = (name: string, content: object) =>
  writeFileSync(path.join(directory, name), `${JSON.stringify(content, undefined, 2)}\n`);
write('checkout-saga.postman_collection.json', toCollection(STORIES, answers));
write('local.postman_environment.json', toEnvironment());
