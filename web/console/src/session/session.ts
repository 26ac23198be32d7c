import { type Client, createClient } from '@checkout-saga/client';
import { createContext, use } from 'react';
import { createStored } from '../../../common/stored.js';

/** Of this tab alone, and gone with it: an admin's key must not outlive the operator's session. */
export const adminKey = createStored<string | null>('admin-key', null, 'sessionStorage');

/** Pages ask again by themselves, and an operator wants to know soon. */
const RETRY_FOR_MS = 3_000;

export function createSession(apiKey: string): Client {
  return createClient({ url: location.origin, apiKey, retryForMs: RETRY_FOR_MS });
}

export const SessionContext = createContext<Client | null>(null);

/** The API with the operator's key. */
export function useClient(): Client {
  const client = use(SessionContext);
  if (!client) throw new Error('useClient outside of a session');
  return client;
}
