import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../../setup/api-client.js';
import { eventually } from '../../setup/eventually.js';
import { newSkuId } from '../../setup/shop.js';

export interface TestSale {
  readonly id: string;
  readonly group: string;
}

export interface HeldTicket {
  readonly id: string;
  readonly token: string;
  readonly state: string;
  readonly position: number;
  readonly estimatedWaitSeconds: number;
  readonly eventsUrl: string;
}

export const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** Seats of one unit each, side by side. */
export async function seatsOf(api: ApiClient, count: number): Promise<string> {
  const group = newSkuId('show');
  for (let number = 1; number <= count; number += 1) {
    const body = { name: `Seat ${number}`, unitAmount: 1_000, currency: 'EUR', group, row: 'A', number, onHand: 1 };
    const { status } = await api.put(`/v1/skus/${group}:${number}`, body);
    if (status !== 201) throw new Error(`seat ${number}: ${status}`);
  }
  return group;
}

/** A sale that has begun, calls everybody at once and lets them buy for an hour, unless told otherwise. */
export async function newSale(api: ApiClient, seats: number, terms: object = {}): Promise<TestSale> {
  const group = await seatsOf(api, seats);
  const id = newSkuId('sale');
  const body = {
    group,
    startsAt: fromNow(-1),
    admitPerSecond: 1_000,
    maxActive: 1_000,
    ticketTtlSeconds: 3_600,
    ...terms,
  };
  const { status, body: answer } = await api.put(`/v1/sales/${id}`, body);
  if (status !== 201) throw new Error(`sale: ${status} ${JSON.stringify(answer)}`);
  return { id, group };
}

export async function join(
  api: ApiClient,
  sale: TestSale,
  customer: object = { id: randomUUID() },
): Promise<HeldTicket> {
  const { status, body } = await api.post(`/v1/sales/${sale.id}/tickets`, { customer });
  if (status !== 201) throw new Error(`ticket: ${status} ${JSON.stringify(body)}`);
  return body;
}

export function readTicket(api: ApiClient, sale: TestSale, ticket: HeldTicket): Promise<ApiResponse> {
  return api.get(`/v1/sales/${sale.id}/tickets/${ticket.id}`, { headers: { 'x-sale-ticket': ticket.token } });
}

export async function inState(api: ApiClient, sale: TestSale, ticket: HeldTicket, state: string): Promise<any> {
  const answer = await eventually(`ticket is ${state}`, () => readTicket(api, sale, ticket), {
    until: ({ body }) => body.state === state,
  });
  return answer.body;
}

export async function joinAndBeCalled(api: ApiClient, sale: TestSale, customer?: object): Promise<HeldTicket> {
  const ticket = await join(api, sale, customer);
  await inState(api, sale, ticket, 'ADMITTED');
  return ticket;
}

const withTicket = (token?: string) => (token === undefined ? {} : { headers: { 'x-sale-ticket': token } });

export function reserve(api: ApiClient, body: object, token?: string, idempotencyKey: string = randomUUID()) {
  return api.post('/v1/reservations', { currency: 'EUR', ...body }, { idempotencyKey, ...withTicket(token) });
}

export function buy(api: ApiClient, body: object, token?: string, idempotencyKey: string = randomUUID()) {
  const checkout = { currency: 'EUR', payment: { method: 'pm_card_visa' }, ...body };
  const headers = { prefer: 'wait=25', ...(token !== undefined && { 'x-sale-ticket': token }) };
  return api.post('/v1/checkouts', checkout, { idempotencyKey, headers });
}

export const seat = ({ group }: TestSale, number: number) => ({ lines: [{ sku: `${group}:${number}`, quantity: 1 }] });
