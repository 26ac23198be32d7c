import { createStored } from '../../../common/stored.js';

/** Typed once, offered again. */
export const buyerEmail = createStored('shop:email', '');
