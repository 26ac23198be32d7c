const ROOT = '/checkout-saga';
const RECORDS = `${ROOT}/lock`;
const MAILBOXES = `${ROOT}/wake`;
const BUCKETS: readonly string[] = Array.from({ length: 16 }, (_, index) => index.toString(16));
/** What a name must not contain, and the mark of what was replaced. */
// eslint-disable-next-line no-control-regex -- ZooKeeper refuses control characters
const FORBIDDEN = /[%/\u0000-\u001f\u007f-\u009f\ud800-\uf8ff\ufff0-\uffff]/g;

/** Records are spread over a few parents, so that none has too many children to be listed. */
export const RECORD_PARENTS: readonly string[] = BUCKETS.map((bucket) => `${RECORDS}/${bucket}`);
/** In the order in which they have to be made. */
export const PARENTS: readonly string[] = [ROOT, RECORDS, MAILBOXES, ...RECORD_PARENTS];

/** A letter before the key, which may be a dot. */
export function recordPath(key: string): string {
  const name = key.replace(FORBIDDEN, (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${RECORDS}/${bucketOf(key)}/k${name}`;
}

export function keyOfRecord(name: string): string {
  return name.slice(1).replace(/%([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

export function mailboxPath(processId: string): string {
  return `${MAILBOXES}/${processId}`;
}

/** Exists for as long as the process's session, and keeps its mailbox. What is written there concerns its holders. */
export function bellPath(processId: string): string {
  return `${mailboxPath(processId)}/bell`;
}

/** Exists while this owner waits; whoever deletes it wakes the owner. */
export function waiterPath(owner: string): string {
  return `${mailboxPath(processOf(owner))}/${owner}`;
}

export function processOf(owner: string): string {
  return owner.slice(0, owner.indexOf('.'));
}

function bucketOf(key: string): string {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
  return BUCKETS[(hash ^ (hash >>> 16)) & (BUCKETS.length - 1)] ?? '0';
}
