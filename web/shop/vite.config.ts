import { pageConfig } from '../page-config.js';

export default pageConfig('shop', import.meta.dirname);
