import { pageConfig } from '../page-config.js';

export default pageConfig('console', import.meta.dirname);
