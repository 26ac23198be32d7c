import { createStored } from '../../../common/stored.js';

/** A customer's own JWT, where the service knows customers: it is gone with the tab. */
export const customerToken = createStored<string | null>('shop:customer-token', null, 'sessionStorage');
