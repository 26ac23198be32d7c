import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PostmanCollection, toCollection, toEnvironment } from './collection.js';
import { STORIES } from './stories.js';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../postman', name), 'utf8'));

describe('the Postman collection', () => {
  const committed = read('checkout-saga.postman_collection.json') as PostmanCollection;

  it('is the one its stories make (npm run postman writes it)', () => {
    const bare = {
      ...committed,
      item: committed.item.map((folder) => ({
        ...folder,
        item: folder.item.map((item) => ({ ...item, response: [] })),
      })),
    };
    expect(bare).toEqual(JSON.parse(JSON.stringify(toCollection(STORIES, new Map()))));
    expect(read('local.postman_environment.json')).toEqual(toEnvironment());
  });

  it('has tests and a saved example for every request', () => {
    const items = committed.item.flatMap((folder) => folder.item);
    const untested = items.filter(({ event }) => !event.some(({ script }) => script.exec.join().includes('pm.test')));
    expect(untested.map(({ name }) => name)).toEqual([]);
    expect(items.filter(({ response }) => response?.length !== 1).map(({ name }) => name)).toEqual([]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });
});
