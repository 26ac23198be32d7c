const RECORDS = 'checkout-saga/lock/key/';
const MAILBOXES = 'checkout-saga/lock/wake/';

export const RECORD_RANGE = { from: RECORDS, to: `${RECORDS.slice(0, -1)}0` } as const;

export function recordName(key: string): string {
  return RECORDS + key;
}

export function keyOfRecord(name: string): string {
  return name.slice(RECORDS.length);
}

export function mailboxName(processId: string): string {
  return MAILBOXES + processId;
}

/** The JSON of etcd has keys and values as Base64. */
export function encodeText(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function decodeText(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}
