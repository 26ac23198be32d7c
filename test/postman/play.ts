import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import newman from 'newman';
import { KEYS, startAppProcess } from '../setup/app-process.js';
import type { PostmanCollection, SavedResponse } from './collection.js';
import { startPrism, violationsOf } from './prism.js';

const SHOWN_HEADERS = /^(content-type|etag|location|retry-after|idempotent-replayed)$/i;
const SHOWN_LINES = 40;

export interface Performance {
  readonly summary: newman.Summary;
  /** The last answer to every request, by its id, without what is secret. */
  readonly answers: ReadonlyMap<string, SavedResponse>;
  /** Answers that do not fit the API description, as Prism found. */
  readonly violations: readonly string[];
}

/**
 * Starts the built service on a database of its own, with holds that end soon, and plays the collection against it,
 * through Prism, which validates every answer.
 */
export async function play(collection: PostmanCollection): Promise<Performance> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'checkout-postman-'));
  chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const service = await startAppProcess({
    DATA_DIR: dataDir,
    RESERVATION_TTL_SECONDS: '10', // a story has to buy what it holds before
    RESERVATION_SWEEP_SECONDS: '1',
    SANDBOX_AUTHENTICATION_MS: '500',
  });
  try {
    const prism = await startPrism(service.url);
    try {
      return await playAgainst(prism.url, collection);
    } finally {
      prism.stop();
    }
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Plays the collection against a service that runs. */
export function playAgainst(url: string, collection: PostmanCollection): Promise<Performance> {
  const answers = new Map<string, SavedResponse>();
  const violations: string[] = [];
  const envVar = [
    { key: 'baseUrl', value: url },
    { key: 'storefrontKey', value: KEYS.STOREFRONT_API_KEY },
    { key: 'adminKey', value: KEYS.ADMIN_API_KEY },
  ];
  return new Promise((resolve, reject) => {
    newman
      .run({ collection, envVar, timeoutRequest: 30_000 }, (error, summary) =>
        error ? reject(error) : resolve({ summary, answers, violations }),
      )
      .on('request', (_, { item, response }) => {
        if (!response) return;
        const { code, status, headers } = response;
        violations.push(...violationsOf(headers.members).map((found) => `${item.name} (${code}): ${found}`));
        const header = headers.members
          .filter(({ key }) => SHOWN_HEADERS.test(key))
          .map(({ key, value }) => ({ key, value }));
        answers.set(item.id, { code, status, header, body: shown(response.text()) });
      });
  });
}

function shown(body: string): string {
  if (!body.startsWith('{')) return body.split('\n').slice(0, SHOWN_LINES).join('\n');
  return JSON.stringify(JSON.parse(body), hideSecrets, 2);
}

function hideSecrets(key: string, value: unknown): unknown {
  if (key === 'accessToken') return 'an-access-token';
  return key === 'secret' ? 'whsec_shown-this-once' : value;
}
