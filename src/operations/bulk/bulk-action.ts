/** The actions of bulk runs: the verb that is applied to every subject, and the members that the filter may have. */
const ACTIONS = {
  'retry-sagas': { verb: 'retry', filter: ['name', 'step', 'direction', 'code'] },
  'compensate-sagas': { verb: 'compensate', filter: ['name', 'step', 'direction', 'code', 'state'] },
  'resolve-sagas': { verb: 'resolve', filter: ['name', 'step', 'direction', 'code'] },
  'replay-callbacks': { verb: 'replay', filter: ['type'] },
  'replay-deliveries': { verb: 'replay', filter: ['endpointId'] },
  'retry-dead-letters': { verb: 'retry', filter: ['code'] },
  'discard-dead-letters': { verb: 'discard', filter: ['code'] },
  'cancel-orders': { verb: 'cancel', filter: ['sku', 'email', 'customerId', 'createdFrom', 'createdTo'] },
  'refund-orders': { verb: 'refund', filter: ['sku', 'email', 'customerId', 'createdFrom', 'createdTo'] },
} as const satisfies Record<string, { verb: string; filter: readonly string[] }>;

export type BulkAction = keyof typeof ACTIONS;
export const BULK_ACTIONS = Object.keys(ACTIONS) as [BulkAction, ...BulkAction[]];

/** Most orders have no problem, so the filter has to name the ones that are meant. */
const NEEDS_FILTER: ReadonlySet<BulkAction> = new Set(['cancel-orders', 'refund-orders']);

/** Why a filter does not fit the action; undefined if it does. */
export function misfitOf(action: BulkAction, members: readonly string[]): string | undefined {
  const allowed: readonly string[] = ACTIONS[action].filter;
  const foreign = members.filter((member) => !allowed.includes(member));
  if (foreign.length > 0) return `${action} is filtered by ${allowed.join(', ')}, not by ${foreign.join(', ')}`;
  if (NEEDS_FILTER.has(action) && members.length === 0) return `${action} needs a filter`;
  return undefined;
}
