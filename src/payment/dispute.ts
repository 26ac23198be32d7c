/** OPEN until the bank has decided. CLOSED is an inquiry that came to nothing: no money moved. */
export const DISPUTE_STATES = ['OPEN', 'WON', 'LOST', 'CLOSED'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/**
 * The customer's bank wants the money of a charge back, as the provider says now. There is no table of transitions: the
 * provider is asked at every event about it, and what it says is stored.
 */
export interface Dispute {
  /** The provider's. */
  readonly id: string;
  readonly state: DisputeState;
  readonly amount: number;
  readonly currency: string;
  /** The bank's, in the provider's words. */
  readonly reason: string;
  /** Until when the shop may answer; RFC 3339. */
  readonly respondBy?: string | undefined;
  readonly openedAt: string;
}
