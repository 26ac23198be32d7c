import { JuteReader, JuteWriter } from './jute.js';

/** Numbers of ZooKeeper's protocol (3.6 and later). */
const OPERATION = {
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getChildren: 8,
  sync: 9,
  ping: 11,
  multi: 14,
  create2: 15,
  createContainer: 19,
  addWatch: 106,
  closeSession: -11,
} as const;
export const XID = { notification: -1, ping: -2 } as const;
export const ERROR = { none: 0, runtimeInconsistency: -2, noNode: -101, badVersion: -103, nodeExists: -110 } as const;
export const EVENT = { deleted: 2, dataChanged: 3 } as const;
const FLAG = { persistent: 0, ephemeral: 1, container: 4 } as const;
const WATCH_RECURSIVELY = 1;
const ALL_PERMISSIONS = 31;
const END_OF_MULTI = -1;

export interface Stat {
  readonly modifiedZxid: bigint;
  readonly modifiedMs: number;
  readonly version: number;
}

/** A request without its number, and how its answer is read. */
export interface Message<T> {
  readonly type: number;
  readonly write: (writer: JuteWriter) => void;
  readonly read: (reader: JuteReader) => T;
}

export type NodeKind = keyof typeof FLAG;

/** One part of a multi. */
export type MultiPart =
  | { readonly op: 'create'; readonly path: string; readonly data: string; readonly kind: NodeKind }
  | { readonly op: 'setData'; readonly path: string; readonly data: string; readonly version: number }
  | { readonly op: 'delete'; readonly path: string; readonly version: number };

/** Of each part: what it became, or why nothing was done; `runtimeInconsistency` says that another part is the reason. */
export type PartResult = { readonly error: number } | { readonly error: 0; readonly stat?: Stat };

const nothing = () => undefined;

export function connectRequest(sessionId: bigint, password: Buffer, timeoutMs: number): Buffer {
  const writer = new JuteWriter().int(0).long(0n).int(timeoutMs).long(sessionId).bytes(password).bool(false);
  return writer.finish();
}

export function connectResponse(reader: JuteReader): { timeoutMs: number; sessionId: bigint; password: Buffer } {
  reader.int();
  return { timeoutMs: reader.int(), sessionId: reader.long(), password: Buffer.from(reader.bytes()) };
}

export const ping: Message<undefined> = { type: OPERATION.ping, write: nothing, read: nothing };
export const closeSession: Message<undefined> = { type: OPERATION.closeSession, write: nothing, read: nothing };

export function create(path: string, kind: NodeKind): Message<undefined> {
  const type = kind === 'container' ? OPERATION.createContainer : OPERATION.create;
  return { type, write: (writer) => writeCreate(writer, path, '', kind), read: nothing };
}

export function remove(path: string, version: number): Message<undefined> {
  return { type: OPERATION.delete, write: (writer) => void writer.text(path).int(version), read: nothing };
}

export function exists(path: string): Message<Stat> {
  return { type: OPERATION.exists, write: (writer) => void writer.text(path).bool(false), read: readStat };
}

export function getData(path: string): Message<{ data: string; stat: Stat }> {
  return {
    type: OPERATION.getData,
    write: (writer) => void writer.text(path).bool(false),
    read: (reader) => ({ data: reader.text(), stat: readStat(reader) }),
  };
}

export function getChildren(path: string): Message<string[]> {
  return {
    type: OPERATION.getChildren,
    write: (writer) => void writer.text(path).bool(false),
    read: (reader) => Array.from({ length: Math.max(0, reader.int()) }, () => reader.text()),
  };
}

/** The node that serves us catches up with the leader before it answers what is sent after this. */
export function sync(path: string): Message<undefined> {
  return { type: OPERATION.sync, write: (writer) => void writer.text(path), read: nothing };
}

/** Events of the node and of everything below it, until the connection ends. */
export function addWatch(path: string): Message<undefined> {
  return { type: OPERATION.addWatch, write: (writer) => void writer.text(path).int(WATCH_RECURSIVELY), read: nothing };
}

/** All parts or none. */
export function multi(parts: readonly MultiPart[]): Message<PartResult[]> {
  const write = (writer: JuteWriter) => {
    for (const part of parts) writePart(writer, part);
    writer.int(END_OF_MULTI).bool(true).int(-1);
  };
  return { type: OPERATION.multi, write, read: readParts };
}

function writePart(writer: JuteWriter, part: MultiPart): void {
  switch (part.op) {
    case 'create':
      writer.int(OPERATION.create2).bool(false).int(-1);
      writeCreate(writer, part.path, part.data, part.kind);
      return;
    case 'setData':
      writer.int(OPERATION.setData).bool(false).int(-1).text(part.path).text(part.data).int(part.version);
      return;
    case 'delete':
      writer.int(OPERATION.delete).bool(false).int(-1).text(part.path).int(part.version);
      return;
  }
}

function readParts(reader: JuteReader): PartResult[] {
  const results: PartResult[] = [];
  for (;;) {
    const type = reader.int();
    const isDone = reader.bool();
    reader.int();
    if (isDone) return results;
    if (type === END_OF_MULTI) results.push({ error: reader.int() });
    else if (type === OPERATION.setData) results.push({ error: 0, stat: readStat(reader) });
    else if (type === OPERATION.create2) {
      reader.text();
      results.push({ error: 0, stat: readStat(reader) });
    } else results.push({ error: 0 });
  }
}

/** Whoever reaches the servers may do everything, as with the other lock stores. */
function writeCreate(writer: JuteWriter, path: string, data: string, kind: NodeKind): void {
  writer.text(path).text(data).int(1).int(ALL_PERMISSIONS).text('world').text('anyone').int(FLAG[kind]);
}

function readStat(reader: JuteReader): Stat {
  reader.long();
  const modifiedZxid = reader.long();
  reader.long();
  const modifiedMs = Number(reader.long());
  const version = reader.int();
  reader.int();
  reader.int();
  reader.long();
  reader.int();
  reader.int();
  reader.long();
  return { modifiedZxid, modifiedMs, version };
}
