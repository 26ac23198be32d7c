import { addUp, allocate, type AllocationVerdict, type Quantities } from '../../balance/allocation.js';
import { isAllowanceKey, type NamedClaim } from '../../balance/allowance.js';
import { mergeQuantities, type StockLine } from '../stock/stock-line.js';
import type { HoldRequest, HoldVerdict, Offer } from './reservation.js';
import { exceededOf } from './reservation-claims.repository.js';

type Decision = { readonly kind: 'granted'; readonly alternative: number } | Exclude<HoldVerdict, { kind: 'granted' }>;

/** Over stock, coupons and limits together: a hold gets all that it wants, or nothing. `claims` are those of each alternative. */
export function decide(
  available: Quantities,
  requests: readonly HoldRequest[],
  claims: readonly (readonly (readonly NamedClaim[])[])[],
): readonly Decision[] {
  const wanted = requests.map(({ alternatives }, index) => ({
    alternatives: alternatives.map(({ lines }, at) => quantitiesOf(lines, claims[index]?.[at] ?? [])),
  }));
  return allocate(available, wanted).map((verdict) => (verdict.kind === 'granted' ? verdict : refusalOf(verdict)));
}

export function skusOf({ lines }: Offer): string[] {
  return lines.map(({ sku }) => sku);
}

function quantitiesOf(lines: readonly StockLine[], claims: readonly NamedClaim[]): Map<string, number> {
  const quantities = mergeQuantities(lines);
  return claims.length === 0 ? quantities : addUp([...quantities, ...claims.map(toWish)]);
}

function toWish({ key, quantity }: NamedClaim): [string, number] {
  return [key, quantity];
}

/** Who could have the goods is told of the coupon; who could not has no use for it. */
function refusalOf({ shortages }: AllocationVerdict & { kind: 'short' }): Decision {
  const stock = shortages.filter(({ key }) => !isAllowanceKey(key));
  if (stock.length === 0 && shortages.length > 0) return { kind: 'exceeded', allowance: exceededOf(shortages[0]) };
  return {
    kind: 'short',
    shortages: stock.map(({ key: sku, requested, available }) => ({ sku, requested, available })),
  };
}
