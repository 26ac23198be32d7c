import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PageName } from '../platform/config/app-config.js';

/** Where the build puts them. Tests run the sources, which are not in `dist`. */
const PLACE = import.meta.filename.endsWith('.ts') ? '../../dist/web' : '../../web';
export const PAGES_FOLDER = path.resolve(import.meta.dirname, PLACE);

export function isBuilt(page: PageName): boolean {
  return existsSync(path.join(PAGES_FOLDER, page, 'index.html'));
}
