import {
  type Answer,
  type Dispute,
  type Intent,
  invalid,
  newId,
  nowSeconds,
  ok,
  type StripeEvent,
} from './stripe-objects.js';

const ANSWER_WITHIN_SECONDS = 10 * 86_400;

/** Customers who complain to their bank. */
export class StripeDisputes {
  readonly all: Dispute[] = [];

  constructor(
    private readonly find: (intentId: string) => Intent | undefined,
    private readonly emit: (type: string, dispute: Dispute) => StripeEvent,
  ) {}

  open(intentId: string, reason = 'product_not_received'): StripeEvent {
    const intent = this.find(intentId);
    if (!intent?.latest_charge?.captured) throw new Error('this intent was not captured');
    const dispute: Dispute = {
      ...{ id: newId('du'), object: 'dispute', amount: intent.amount_received, currency: intent.currency },
      ...{ created: nowSeconds(), payment_intent: intentId, reason, status: 'needs_response' },
      evidence_details: { due_by: nowSeconds() + ANSWER_WITHIN_SECONDS },
    };
    this.all.unshift(dispute);
    return this.emit('charge.dispute.created', dispute);
  }

  /** The bank has got an answer, or has decided. */
  move(id: string, status: 'under_review' | 'won' | 'lost' | 'warning_closed'): StripeEvent {
    const dispute = this.all.find((each) => each.id === id);
    if (!dispute) throw new Error('no such dispute');
    dispute.status = status;
    return this.emit(`charge.dispute.${status === 'under_review' ? 'updated' : 'closed'}`, dispute);
  }

  /** What is disputed cannot be refunded. */
  isOpen(intentId: string): boolean {
    return this.all.some((dispute) => dispute.payment_intent === intentId && dispute.status !== 'won');
  }

  retrieve(id: string): Answer {
    const dispute = this.all.find((each) => each.id === id);
    return dispute ? ok(dispute) : invalid('resource_missing', `No such dispute: '${id}'`, 404);
  }
}
