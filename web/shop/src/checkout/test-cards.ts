/** The sandbox's payment methods, as cards that a buyer can hold in their hand. */
export interface TestCard {
  readonly method: string;
  readonly name: string;
  readonly number: string;
  readonly effect: string;
}

export const TEST_CARDS: readonly TestCard[] = [
  { method: 'pm_card_visa', name: 'Visa', number: '•••• 4242', effect: 'Pays at once' },
  {
    method: 'pm_card_authenticationRequired',
    name: '3-D Secure',
    number: '•••• 3155',
    effect: 'The bank asks you first',
  },
  { method: 'pm_card_chargeDeclined', name: 'Declined', number: '•••• 0002', effect: 'The bank says no' },
  {
    method: 'pm_card_chargeDeclinedInsufficientFunds',
    name: 'Empty account',
    number: '•••• 9995',
    effect: 'Not enough money',
  },
];

export const ODD_CARDS: readonly TestCard[] = [
  {
    method: 'pm_sandbox_timeout_after_charge',
    name: 'Silent bank',
    number: '•••• 0341',
    effect: 'Takes the money, never answers',
  },
  {
    method: 'pm_sandbox_timeout_before_charge',
    name: 'Dead line',
    number: '•••• 0119',
    effect: 'Takes nothing, never answers',
  },
  { method: 'pm_sandbox_processing', name: 'Bank debit', number: 'DE•• 3000', effect: 'Pays after a while' },
  { method: 'pm_sandbox_slow', name: 'Slow bank', number: '•••• 0077', effect: 'Answers after two seconds' },
  { method: 'pm_sandbox_error', name: 'Stumbling bank', number: '•••• 0259', effect: 'Fails twice, then pays' },
];

export function cardName(method: string): string {
  return [...TEST_CARDS, ...ODD_CARDS].find((card) => card.method === method)?.name ?? method;
}
