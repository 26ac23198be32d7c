import type { Schemas } from '@checkout-saga/client';

export type BulkAction = Schemas['BulkRunRequest']['action'];

export interface ActionChoice {
  readonly action: BulkAction;
  readonly text: string;
  readonly fields: readonly (readonly [name: string, label: string, options?: readonly string[]])[];
}

const OF_SAGAS = [
  ['name', 'Saga'],
  ['step', 'At step'],
  ['direction', 'On its way, or back', ['on', 'back']],
  ['code', 'Failed with'],
] as const;
const OF_ORDERS = [
  ['sku', 'SKU'],
  ['email', 'E-mail'],
  ['customerId', 'Customer'],
  ['createdFrom', 'Created from'],
  ['createdTo', 'Created until'],
] as const;

/** What can be done in bulk, and by what it is filtered. */
export const CHOICES: readonly ActionChoice[] = [
  { action: 'retry-sagas', text: 'Retry stuck sagas', fields: OF_SAGAS },
  {
    action: 'compensate-sagas',
    text: 'Turn sagas back',
    fields: [...OF_SAGAS, ['state', 'Stuck or waiting', ['STUCK', 'WAITING']]],
  },
  { action: 'resolve-sagas', text: 'Resolve stuck sagas', fields: OF_SAGAS },
  { action: 'cancel-orders', text: 'Cancel orders', fields: OF_ORDERS },
  { action: 'refund-orders', text: 'Refund orders', fields: OF_ORDERS },
  { action: 'replay-callbacks', text: 'Replay dead callbacks', fields: [['type', 'Type']] },
  { action: 'replay-deliveries', text: 'Replay dead deliveries', fields: [['endpointId', 'Endpoint']] },
  { action: 'retry-dead-letters', text: 'Retry dead letters', fields: [['code', 'Code']] },
  { action: 'discard-dead-letters', text: 'Discard dead letters', fields: [['code', 'Code']] },
];

export function isTime(name: string): boolean {
  return name === 'createdFrom' || name === 'createdTo';
}
