export { type Checkout, startCheckout, type StartOptions } from './start-checkout.js';
export type { Faults, FaultScript } from './faults.js';
export type { DeliveredEvent } from './webhook-receiver.js';
