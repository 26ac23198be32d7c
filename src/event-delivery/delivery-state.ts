/** PENDING and RETRYING are open. DELIVERED and DEAD have ended, and only a replay reopens them. */
export const DELIVERY_STATES = ['PENDING', 'RETRYING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
