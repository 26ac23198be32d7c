const PREFIX = 'lock:{';
export const CHANNEL_PREFIX = 'lock:wake:';

/**
 * The hash tag puts a record and its queue into one slot. A closing brace would end the tag early, and at the start make
 * it empty, which counts as no tag.
 */
export function recordName(key: string): string {
  return `${PREFIX}${key.includes('}') || key.includes('%') ? key.replaceAll('%', '%25').replaceAll('}', '%7D') : key}}`;
}

export function keyOfRecord(name: string): string {
  return name.slice(PREFIX.length, -1).replaceAll('%7D', '}').replaceAll('%25', '%');
}

export const RECORD_PATTERN = 'lock:{*}';
