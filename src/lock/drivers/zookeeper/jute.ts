/** Writes the encoding of ZooKeeper's messages. Starts with room for the length of the message. */
export class JuteWriter {
  private buffer = Buffer.allocUnsafe(256);
  private length = 4;

  int(value: number): this {
    this.reserve(4);
    this.length = this.buffer.writeInt32BE(value, this.length);
    return this;
  }

  long(value: bigint): this {
    this.reserve(8);
    this.length = this.buffer.writeBigInt64BE(value, this.length);
    return this;
  }

  bool(value: boolean): this {
    this.reserve(1);
    this.length = this.buffer.writeUInt8(value ? 1 : 0, this.length);
    return this;
  }

  bytes(value: Buffer): this {
    this.int(value.length);
    this.reserve(value.length);
    this.length += value.copy(this.buffer, this.length);
    return this;
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value));
  }

  /** The whole message. */
  finish(): Buffer {
    this.buffer.writeInt32BE(this.length - 4, 0);
    return this.buffer.subarray(0, this.length);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, this.length + bytes));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

export class JuteReader {
  private position = 0;

  constructor(private readonly buffer: Buffer) {}

  int(): number {
    this.position += 4;
    return this.buffer.readInt32BE(this.position - 4);
  }

  long(): bigint {
    this.position += 8;
    return this.buffer.readBigInt64BE(this.position - 8);
  }

  bool(): boolean {
    this.position += 1;
    return this.buffer.readUInt8(this.position - 1) !== 0;
  }

  bytes(): Buffer {
    const length = Math.max(0, this.int());
    this.position += length;
    return this.buffer.subarray(this.position - length, this.position);
  }

  text(): string {
    return this.bytes().toString();
  }
}
