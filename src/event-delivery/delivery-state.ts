/** PENDING and RETRYING are open; DELIVERED and DEAD have ended, and come back only by a replay. */
export const DELIVERY_STATES = ['PENDING', 'RETRYING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
